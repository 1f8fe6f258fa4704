import { fakeClock } from '@kubewire/daemon-kit'
import { buildNftTable, createRulesetBuilder, listNftTable, proxyOptions } from '@kubewire/iptables-gen'
import { type KubeObject, snapshotOf } from '@kubewire/kube-model'
import { endpointSlice, service } from '@kubewire/kube-model/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { createNftBackend } from './nft-backend.ts'
import type { RuleBackend } from './rule-backend.ts'

const options = proxyOptions({ family: 4, nodeName: 'node-a' })
const web = service('shop/web', { clusterIP: '10.96.4.4' })
const slice = (...addresses: readonly string[]) => endpointSlice('shop/web', addresses)

/** A kernel that only takes notes. */
class NotedNft {
  readonly loads: string[] = []
  listing: string | undefined
  refuses = false
  isMute = false
  async load(text: string, after?: Promise<void>): Promise<void> {
    await after
    if (this.refuses) throw new Error('refused')
    this.loads.push(text)
  }
  async listTable(): Promise<string | undefined> {
    if (this.isMute) throw new Error('no answer')
    return this.listing
  }
  take(): string {
    return this.loads.splice(0).join('')
  }
}

describe('the back end of nftables mode', () => {
  let nft: NotedNft
  let clock: ReturnType<typeof fakeClock>
  let backend: RuleBackend
  let apply: (isFull: boolean, ...objects: readonly KubeObject[]) => Promise<unknown>
  const start = (deletesChainsAtOnce: boolean): void => {
    nft = new NotedNft()
    clock = fakeClock()
    const common = { family: 4, nft, clock, takesRulesInChains: true, serviceCidrs: () => [] } as const
    backend = createNftBackend({ ...common, deletesChainsAtOnce })
    const builder = createRulesetBuilder()
    apply = (isFull, ...objects) => backend.apply(builder.build(snapshotOf(objects), options), options, isFull)
  }
  beforeEach(() => start(true))

  it('makes a table where there is none, then mentions only what changed', async () => {
    await apply(true, web, slice('10.244.1.5'))
    expect(nft.take()).toMatch(/^add table ip kube-proxy \{ comment/)
    await apply(false, web, slice('10.244.1.6'))
    expect(nft.take()).toMatch(
      /^flush chain \S+ \S+ (\S+)\nadd chain ip kube-proxy \1 \{ .* dnat to 10\.244\.1\.6:8080; \}\n$/,
    )
    await apply(false, web, slice('10.244.1.6'))
    expect(nft.take()).toBe('')
  })

  it('replaces the table after a refusal, whatever is listed', async () => {
    nft.listing = 'table ip kube-proxy {\n}\n'
    nft.refuses = true
    await expect(apply(true, web)).rejects.toThrow('refused')
    nft.refuses = false
    await apply(true, web)
    expect(nft.take()).toMatch(/^add table ip kube-proxy\ndelete table ip kube-proxy\nadd table /)
  })

  it('replaces the table after it could not be listed', async () => {
    nft.isMute = true
    await expect(apply(true, web)).rejects.toThrow('no answer')
    await apply(true, web)
    expect(nft.take()).toContain('delete table ip kube-proxy\n')
  })

  it('empties a chain first and deletes it a second later, where the kernel wants that', async () => {
    start(false)
    await apply(true, web, slice('10.244.1.5'))
    nft.take()
    await apply(false, web)
    const emptied = /flush chain \S+ \S+ (\S+)\n/.exec(nft.loads.join(''))?.[1]
    expect(nft.take()).not.toContain('delete chain')
    await apply(false, web)
    expect(nft.take()).toBe('')
    await clock.advance(1000)
    await apply(false, web)
    expect(nft.take()).toBe(`delete chain ip kube-proxy ${emptied}\n`)
  })

  it('does not delete a chain that is wanted again', async () => {
    start(false)
    await apply(true, web, slice('10.244.1.5'))
    await apply(false, web)
    await clock.advance(1000)
    nft.take()
    await apply(false, web, slice('10.244.1.5'))
    expect(nft.take()).not.toContain('delete chain')
  })

  it('tells that the table is gone, as often as somebody takes it', async () => {
    for (let i = 0; i < 3; i++) {
      await apply(true, web)
      expect(await backend.audit?.()).toBe('the table is gone')
    }
  })

  it('looks no more at what is listed as before after the repair, but at everything else', async () => {
    const builder = createRulesetBuilder()
    const { ports } = builder.build(snapshotOf([web, slice('10.244.1.5')]), options)
    const { chains, sets, maps } = listNftTable(buildNftTable(ports, { ...options, serviceCidrs: [] }))
    const chain = (name: string): string => `chain ${name} has other rules`
    const listing = (...others: readonly string[]): string => {
      const blocks = [
        ...Object.entries(sets).map(([name, { type, elements }]) => block('set', name, type, elements)),
        ...Object.entries(maps).map(([name, { type, elements }]) => block('map', name, type, elements)),
        ...Object.entries(chains).map(([name, rules]) => {
          const lines = rules.map((rule) => `\t\t${rule}${others.includes(name) ? ' accept' : ''}\n`)
          return `\tchain ${name} {\n${lines.join('')}\t}\n`
        }),
      ]
      return `table ip kube-proxy {\n${blocks.join('')}}\n`
    }
    const repair = () => apply(true, web, slice('10.244.1.5'))
    await repair()
    nft.listing = listing()
    expect(await backend.audit?.()).toBeUndefined()
    nft.listing = listing('masquerading')
    expect(await backend.audit?.()).toBe(chain('masquerading'))
    await repair()
    await expect(backend.audit?.()).rejects.toThrow('not looked at again')
    expect(await backend.audit?.()).toBeUndefined()
    nft.listing = listing('masquerading', 'reject-chain')
    expect(await backend.audit?.()).toBe(chain('reject-chain'))
    await repair()
    nft.listing = listing('masquerading')
    expect(await backend.audit?.()).toBeUndefined()
    nft.listing = listing('masquerading', 'reject-chain')
    expect(await backend.audit?.()).toBe(chain('reject-chain'))
  })
})

function block(kind: 'set' | 'map', name: string, type: string, elements: readonly string[]): string {
  const list = elements.length === 0 ? '' : `\t\telements = { ${elements.join(', ')} }\n`
  return `\t${kind} ${name} {\n\t\ttype ${type}\n${list}\t}\n`
}
