import type { KubeObject, Service } from '@kubewire/kube-model'
import { describe, expect, it } from 'vitest'
import { createInformerFactory } from './informer-factory.ts'
import { transformed } from './resource.ts'
import { Pods, Services } from './resources.ts'
import type { Cluster, ResourceSource, Scope } from './source.ts'
import { fakeClock, type ScriptedSource, scriptedSource, settle } from './testing/scripted-source.ts'

function clusterOf() {
  const sources: {
    readonly plural: string
    readonly scope: Scope | undefined
    readonly source: ScriptedSource<KubeObject>
  }[] = []
  const cluster: Cluster = {
    source: (resource, scope) => {
      const source = scriptedSource<KubeObject>([{ metadata: { name: resource.plural, resourceVersion: '7' } }])
      sources.push({ plural: resource.plural, scope, source })
      return source as unknown as ResourceSource<never>
    },
    request: async () => {
      throw new Error('not asked')
    },
    close: async () => undefined,
  }
  return { cluster, sources }
}

describe('a factory of informers', () => {
  it('gives the same informer for the same resource and scope', () => {
    const { cluster, sources } = clusterOf()
    const factory = createInformerFactory(cluster)
    const all = factory.informer(Services)
    expect(factory.informer(Services)).toBe(all)
    expect(factory.informer(Services, { namespace: 'shop' })).not.toBe(all)
    expect(factory.informer(Services, { namespace: 'shop' })).toBe(factory.informer(Services, { namespace: 'shop' }))
    expect(factory.informer(transformed(Services, (service) => service))).not.toBe(all)
    expect(sources.map(({ plural, scope }) => [plural, scope])).toEqual([
      ['services', {}],
      ['services', { namespace: 'shop' }],
      ['services', {}],
    ])
  })

  it('merges the indexers of all callers and refuses two functions of one name', async () => {
    const { cluster } = clusterOf()
    const factory = createInformerFactory(cluster, { clock: fakeClock() })
    const name = (service: Service) => service.metadata?.name
    const first = factory.informer(Services, { indexers: { name } })
    const second = factory.informer(Services, { indexers: { version: (service) => service.metadata?.resourceVersion } })
    await factory.start().synced()
    expect([first.store.byIndex('name', 'services').length, second.store.byIndex('version', '7').length]).toEqual([
      1, 1,
    ])
    expect(() => factory.informer(Services, { indexers: { name: () => 'other' } })).toThrow('"name" is taken')
    await factory.close()
  })

  it('starts what was handed out since, syncs and closes all', async () => {
    const { cluster, sources } = clusterOf()
    const clock = fakeClock()
    const factory = createInformerFactory(cluster, { clock })
    factory.informer(Services)
    factory.start()
    await settle()
    factory.informer(Pods)
    expect(sources.map(({ source }) => source.openWatches)).toEqual([1, 0])
    await factory.start().synced()
    await settle()
    expect(sources.map(({ source }) => source.openWatches)).toEqual([1, 1])
    await factory.close()
    expect([sources.map(({ source }) => source.openWatches), clock.sleepers]).toEqual([[0, 0], 0])
  })

  it('tells the errors of all informers', async () => {
    const { cluster, sources } = clusterOf()
    const factory = createInformerFactory(cluster, { clock: fakeClock() })
    const codes: string[] = []
    factory.errors$.subscribe((error) => codes.push(error.code))
    factory.informer(Services)
    factory.informer(Pods)
    for (const { source } of sources) source.refuse('list', { code: 403 })
    factory.start()
    await settle()
    expect(codes).toEqual(['INF_FORBIDDEN', 'INF_FORBIDDEN'])
    await factory.close()
  })

  it('does not hand out again what was closed on its own', async () => {
    const { cluster } = clusterOf()
    const factory = createInformerFactory(cluster, { clock: fakeClock() })
    const first = factory.informer(Services)
    await first.close()
    const second = factory.informer(Services)
    expect(second).not.toBe(first)
    await factory.start().synced()
    expect(second.store.size).toBe(1)
    await factory.close()
  })
})
