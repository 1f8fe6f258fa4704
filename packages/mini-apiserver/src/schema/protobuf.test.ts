import protobuf from 'protobufjs/minimal.js'
import { describe, expect, it } from 'vitest'
import { decodeProtobufType } from './protobuf.ts'

const { Writer } = protobuf

/** Wraps an object in the envelope of client-go. */
function envelope(apiVersion: string, kind: string, raw: Uint8Array): Uint8Array {
  const type = Writer.create().uint32(10).string(apiVersion).uint32(18).string(kind).finish()
  const message = Writer.create().uint32(10).bytes(type).uint32(18).bytes(raw).finish()
  return Buffer.concat([Buffer.from('k8s\0'), message])
}

const meta = (name: string) => Writer.create().uint32(10).string(name).finish()

describe('protobuf bodies', () => {
  it('a Lease with its micro times, as leader elections write it', () => {
    const time = Writer.create().uint32(8).int64(1767225600).uint32(16).int32(123456000).finish()
    const spec = Writer.create()
      .uint32(10)
      .string('me')
      .uint32(16)
      .int32(15)
      .uint32(34)
      .bytes(time)
      .uint32(40)
      .int32(0)
      .finish()
    const lease = Writer.create().uint32(10).bytes(meta('lead')).uint32(18).bytes(spec).finish()
    expect(decodeProtobufType(envelope('coordination.k8s.io/v1', 'Lease', lease), 'coordination.Lease')).toEqual({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'lead' },
      spec: {
        holderIdentity: 'me',
        leaseDurationSeconds: 15,
        renewTime: '2026-01-01T00:00:00.123456Z',
        leaseTransitions: 0,
      },
    })
  })

  it('a Secret with a map of bytes', () => {
    const entry = Writer.create().uint32(10).string('a').uint32(18).bytes(Buffer.from('b')).finish()
    const secret = Writer.create().uint32(10).bytes(meta('s')).uint32(18).bytes(entry).finish()
    expect(decodeProtobufType(envelope('v1', 'Secret', secret), 'core.Secret')).toMatchObject({ data: { a: 'Yg==' } })
  })

  it('a Service port with a target by name and one by number', () => {
    const byName = Writer.create().uint32(8).int32(1).uint32(26).string('web').finish()
    const byNumber = Writer.create().uint32(8).int32(0).uint32(16).int32(8080).finish()
    const port = (target: Uint8Array) => Writer.create().uint32(24).int32(80).uint32(34).bytes(target).finish()
    const spec = Writer.create().uint32(10).bytes(port(byName)).uint32(10).bytes(port(byNumber)).finish()
    const service = Writer.create().uint32(18).bytes(spec).finish()
    expect(decodeProtobufType(envelope('v1', 'Service', service), 'core.Service')).toMatchObject({
      spec: {
        ports: [
          { port: 80, targetPort: 'web' },
          { port: 80, targetPort: 8080 },
        ],
      },
    })
  })

  it.each([
    ['without the magic bytes', Buffer.from('{"kind":"Service"}')],
    ['cut off in the middle', envelope('v1', 'Service', Buffer.from([18, 200])).subarray(0, 30)],
  ])('is not understood %s', (_name, body) => {
    expect(decodeProtobufType(body, 'core.Service')).toBeUndefined()
  })
})
