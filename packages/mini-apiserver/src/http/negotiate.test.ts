import { describe, expect, it } from 'vitest'
import { negotiate } from './negotiate.ts'

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io'

describe('the Accept header', () => {
  it.each([
    [undefined, false, { mediaType: 'application/json', as: 'object' }],
    ['*/*', false, { mediaType: 'application/json', as: 'object' }],
    ['text/html,*/*', false, { mediaType: 'application/json' }],
    ['application/vnd.kubernetes.protobuf,application/json', false, { mediaType: 'application/json', as: 'object' }],
    [`${table},application/json`, false, { as: 'Table', version: 'v1' }],
    ['application/json;as=Table;v=v9;g=meta.k8s.io,application/json', false, { as: 'object' }],
    ['application/yaml', false, { mediaType: 'application/yaml' }],
    ['application/json, */*;q=0.8', true, { mediaType: 'application/json' }],
  ])('%s', (accept, isWatch, wanted) => {
    expect(negotiate(accept, isWatch)).toMatchObject(wanted)
  })

  it.each([
    ['text/html', false, /^406: Not Acceptable/],
    ['application/json;as=Table;v=v9;g=meta.k8s.io', false, /^only the following media types are accepted/],
    ['application/yaml', true, /^406/],
    ['application/cbor', false, /^406/],
  ])('%s is refused', (accept, isWatch, wanted) => {
    expect(() => negotiate(accept, isWatch)).toThrow(wanted)
  })
})
