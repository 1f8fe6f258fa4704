import { describe, expect, it } from 'vitest'
import { admin, mayReadPath, mayUseResource, plainUser, userOf } from './users.ts'

const tokens = new Map([['secret', admin]])

describe('who asks and what they may', () => {
  it.each([
    ['a known token', 'Bearer secret', false, 'admin'],
    ['an unknown one', 'Bearer x', true, undefined],
    ['none over https', undefined, false, 'system:anonymous'],
    ['none over plain http', undefined, true, 'admin'],
  ])('%s', (_name, header, trusts, wanted) => {
    expect(userOf(header, tokens, trusts)?.name).toBe(wanted)
  })

  it.each([
    ['/healthz/ping', true, true],
    ['/version', true, true],
    ['/apis', false, true],
    ['/metrics', false, false],
  ])('%s for anonymous: %s, for a known user: %s', (path, anonymous, known) => {
    const nobody = userOf(undefined, tokens, false)!
    expect([mayReadPath(nobody, path), mayReadPath(plainUser('p'), path)]).toEqual([anonymous, known])
  })

  it('a known user may ask about itself and nothing else', () => {
    expect(mayUseResource(plainUser('p'), 'create', 'selfsubjectaccessreviews')).toBe(true)
    expect(mayUseResource(plainUser('p'), 'list', 'pods')).toBe(false)
  })
})
