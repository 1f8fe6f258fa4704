import { describe, expect, it } from 'vitest'
import { ApiStatusError } from '../api-status.ts'
import { parseListOptions } from './list-options.ts'

function refusal(query: string): string {
  try {
    parseListOptions(new URLSearchParams(query), false)
    return 'accepted'
  } catch (error) {
    return error instanceof ApiStatusError ? `${error.code} ${error.message}` : String(error)
  }
}

describe('parameters of lists and watches', () => {
  it.each([
    ['resourceVersion=0&limit=5', /^accepted$/],
    ['resourceVersionMatch=Exact', /^422 .*forbidden unless resourceVersion is provided/],
    ['resourceVersionMatch=Exact&resourceVersion=0', /^422 .*forbidden for resourceVersion "0"/],
    ['resourceVersionMatch=Newest&resourceVersion=5', /^422 .*Unsupported value: "Newest"/],
    ['sendInitialEvents=true', /^422 .*sendInitialEvents is forbidden for list/],
    ['watch=1&sendInitialEvents=true', /^422 .*requires setting resourceVersionMatch to NotOlderThan/],
    ['watch=1&resourceVersionMatch=NotOlderThan', /^422 .*forbidden for watch unless sendInitialEvents is provided/],
    ['watch=1&continue=x', /^422 .*continue is forbidden for watch/],
    ['continue=x&resourceVersion=5', /^400 specifying resource version is not allowed when using continue/],
    ['continue=x&resourceVersion=0', /^accepted$/],
    ['limit=abc', /^400/],
    ['limit=-1', /^accepted$/],
    ['resourceVersion=abc', /^400 invalid resource version/],
    ['watch=true&resourceVersion=abc', /^500 resourceVersion: Invalid value: "abc"/],
  ])('%s', (query, wanted) => {
    expect(refusal(query)).toMatch(wanted)
  })
})
