import { describe, expect, it } from 'vitest'
import { decodeJson } from './decode-json.ts'

describe('decoding JSON by a type', () => {
  it.each([
    [
      'keeps known fields in table order',
      'core.ConfigMap',
      { immutable: true, data: { a: '1' }, metadata: { name: 'x' } },
      { metadata: { name: 'x' }, data: { a: '1' }, immutable: true },
    ],
    [
      'leaves empty optional fields out',
      'core.ServicePort',
      { name: '', port: 80, nodePort: 0 },
      { port: 80, targetPort: 0 },
    ],
    [
      'keeps an empty value behind a pointer',
      'coordination.LeaseSpec',
      { holderIdentity: '', leaseTransitions: 0 },
      { holderIdentity: '', leaseTransitions: 0 },
    ],
    [
      'writes an always-written list that is empty as null',
      'discovery.EndpointSlice',
      { addressType: 'IPv4', endpoints: [], ports: [] },
      { metadata: {}, addressType: 'IPv4', endpoints: null, ports: null },
    ],
    ['drops null', 'core.ConfigMap', { data: null, metadata: { labels: null } }, { metadata: {} }],
    [
      'prints times in UTC without a fraction',
      'core.Event',
      { metadata: {}, firstTimestamp: '2026-01-01T01:00:00.5+01:00' },
      { firstTimestamp: '2026-01-01T00:00:00Z' },
    ],
    [
      'keeps numbers and names apart in a port',
      'core.ServicePort',
      { port: 1, targetPort: 'web' },
      { port: 1, targetPort: 'web' },
    ],
  ])('%s', (_name, type, value, wanted) => {
    expect(decodeJson(value as never, type).object).toMatchObject(wanted)
    expect(decodeJson(value as never, type).unknownFields).toEqual([])
  })

  it('names unknown fields at any depth, the deeper ones first', () => {
    const { unknownFields } = decodeJson({ foo: 1, spec: { ports: [{ prt: 1 }] } }, 'core.Service')
    expect(unknownFields).toEqual(['spec.ports[0].prt', 'foo'])
  })

  it.each([
    [
      'a number where text belongs',
      'core.ConfigMap',
      { data: { a: 1 } },
      'json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
    ],
    [
      'text where a list belongs',
      'core.Service',
      { spec: { ports: 'x' } },
      'json: cannot unmarshal string into Go struct field Service.spec.ports of type []v1.ServicePort',
    ],
    ['bytes that are no base64', 'core.Secret', { data: { a: '!!' } }, 'illegal base64 data at input byte 0'],
    [
      'a time with nine digits where six are wanted',
      'coordination.Lease',
      { spec: { renewTime: '2026-01-01T00:00:00.123456789Z' } },
      'cannot parse',
    ],
    ['a number beyond 32 bits', 'core.ServicePort', { port: 2 ** 31 }, 'cannot unmarshal number 2147483648'],
  ])('refuses %s', (_name, type, value, message) => {
    expect(() => decodeJson(value as never, type)).toThrow(message)
  })
})
