import { describe, expect, it } from 'vitest'
import type { Backend } from '../model/backend.ts'
import type { Model } from '../model/model.ts'
import type { Server } from '../model/server.ts'
import { dynamicData, externalNames } from './backends.ts'
import { type NginxState, planUpdate } from './plan-update.ts'

const backend = (more: Partial<Backend> = {}): Backend => ({
  name: 'shop-tea-80',
  service: undefined,
  port: '80',
  endpoints: [{ address: '192.0.2.1', port: 8080 }],
  balancing: { kind: 'round-robin' },
  affinity: undefined,
  canary: undefined,
  alternatives: [],
  ...more,
})

const model = (more: Partial<Model> = {}): Model =>
  ({
    settings: { a: 1 },
    servers: [],
    backends: [backend()],
    tls: { defaultCertificate: undefined, certificates: [], hosts: {} },
    stream: [],
    files: [],
    ...more,
  }) as unknown as Model

const server = (host: string): Server => ({ host, locations: [] }) as unknown as Server

const state = (text: string, of: Model): NginxState => ({
  ...{ model: of, text, frame: text, classes: [], rendered: [], routed: new Set<string>() },
  data: dynamicData(of),
})

describe('what an update takes', () => {
  const running = state('text', model())
  const rows: readonly (readonly [fact: string, wanted: NginxState, plan: unknown])[] = [
    ['an equal state takes nothing', state('text', model()), { kind: 'nothing' }],
    [
      'new endpoints are data',
      state('text', model({ backends: [backend({ endpoints: [] })] })),
      {
        kind: 'data',
        change: {
          backends: { 'shop-tea-80': '{"name":"shop-tea-80","algorithm":"round_robin","endpoints":[]}' },
          servers: {},
          certificates: {},
          routes: {},
        },
      },
    ],
    [
      'a backend that goes is removed',
      state('text', model({ backends: [] })),
      { kind: 'data', change: { backends: { 'shop-tea-80': null }, servers: {}, certificates: {}, routes: {} } },
    ],
    [
      'a new host reloads and says so',
      state('other', model({ servers: [server('a.example.org')] })),
      { kind: 'reload', reasons: ['host a.example.org added'] },
    ],
    [
      'a changed setting reloads and says so',
      state('other', model({ settings: { a: 2 } as never })),
      { kind: 'reload', reasons: ['setting a changed'] },
    ],
    [
      'a changed text without a known reason reloads',
      state('other', model()),
      { kind: 'reload', reasons: ['configuration changed'] },
    ],
  ]
  it.each(rows)('%s', (_, wanted, plan) => {
    expect(planUpdate(running, wanted)).toMatchObject(plan as object)
  })

  it('the first state is a start', () => {
    expect(planUpdate(undefined, running)).toMatchObject({ kind: 'reload', reasons: ['start'] })
  })
})

describe('the data of a backend', () => {
  const data = (more: Partial<Backend>, resolve?: (name: string) => readonly string[]) =>
    JSON.parse(dynamicData(model({ backends: [backend(more)] }), resolve).backends['shop-tea-80'] ?? '')

  const affinity = { mode: 'persistent', cookieName: 'C', locations: {}, changeOnFailure: false } as never
  const rows: readonly (readonly [fact: string, more: Partial<Backend>, algorithm: string])[] = [
    ['hashing without a subset', { balancing: { kind: 'hash', key: '$host', subsetSize: undefined } }, 'chash'],
    ['hashing over subsets', { balancing: { kind: 'hash', key: '$host', subsetSize: 3 } }, 'chashsubset'],
    ['affinity beats hashing', { affinity, balancing: { kind: 'hash', key: 'x', subsetSize: 3 } }, 'sticky_persistent'],
  ]
  it.each(rows)('%s', (_, more, algorithm) => {
    expect(data(more).algorithm).toBe(algorithm)
  })

  it('an external name is replaced by its addresses', () => {
    const more = { endpoints: [{ address: 'db.example.org', port: 80 }] }
    expect(data(more, () => ['192.0.2.5', '2001:db8::5']).endpoints).toEqual([
      { address: '192.0.2.5', port: '80' },
      { address: '2001:db8::5', port: '80' },
    ])
    expect(externalNames(model({ backends: [backend(more)] }))).toEqual(['db.example.org'])
  })
})
