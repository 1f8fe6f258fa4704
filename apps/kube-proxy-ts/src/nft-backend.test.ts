import { fakeClock } from '@kubewire/daemon-kit'
import { createRulesetBuilder, proxyOptions } from '@kubewire/iptables-gen'
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
  async load(text: string): Promise<void> {
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

  it('tells what is listed otherwise, and gives up on a nft that lists it so after the repair', async () => {
    await apply(true, web)
    expect(await backend.audit?.()).toBe('the table is gone')
    await apply(true, web)
    await expect(backend.audit?.()).rejects.toThrow('cannot be used to look at it')
    expect(await backend.audit?.()).toBeUndefined()
  })
})
