import { describe, expect, it } from 'vitest'
import { runAsLeader, watchLeadership } from './leadership.ts'
import type { Lease } from './lease-machine.ts'
import type { Cluster, ClusterRequest } from './source.ts'
import { type FakeClock, fakeClock, settle } from './testing/fake-clock.ts'
import { errorOfStatus, WatchError } from './watch-error.ts'

/** One Lease behind optimistic concurrency, that can be unreachable. */
function leaseServer() {
  const server = { lease: undefined as Lease | undefined, isDown: false, writes: 0, hangs: false }
  let version = 1
  const cluster: Cluster = {
    source: () => {
      throw new Error('not watched')
    },
    close: async () => undefined,
    request: async <T>(request: ClusterRequest): Promise<T> => {
      if (server.hangs) await new Promise((resolve) => request.signal?.addEventListener('abort', resolve))
      if (server.isDown) throw new WatchError({ code: 'INF_CONNECT', step: 'request', message: 'ECONNREFUSED' })
      const refuse = (code: number): never => {
        throw errorOfStatus({ code }, 'request', 'lease')
      }
      if (request.method === 'GET') return (server.lease ?? refuse(404)) as T
      const body = request.body as Lease
      if (request.method === 'POST' && server.lease) refuse(409)
      if (request.method === 'PUT' && body.metadata?.resourceVersion !== server.lease?.metadata?.resourceVersion)
        refuse(409)
      server.writes++
      server.lease = { ...body, metadata: { ...body.metadata, resourceVersion: String(++version) } }
      return server.lease as T
    },
  }
  return { server, cluster }
}

function candidate(cluster: Cluster, identity: string, clock: FakeClock, wallMs = () => clock.nowMs()) {
  const log: string[] = []
  const errors: string[] = []
  const subscription = watchLeadership(cluster, {
    name: 'l',
    namespace: 'n',
    identity,
    clock,
    random: () => 0,
    wallMs,
    onError: (error) => errors.push(error.code),
  }).subscribe(({ isLeader, leader }) => log.push(`${isLeader ? 'leads' : 'follows'} ${leader}`))
  return { log, errors, stop: () => subscription.unsubscribe() }
}

describe('an election', () => {
  it('the first candidate leads, the second follows', async () => {
    const { cluster } = leaseServer()
    const clock = fakeClock()
    const one = candidate(cluster, 'one', clock)
    await settle()
    const two = candidate(cluster, 'two', clock)
    await clock.advance(60_000)
    expect([one.log, two.log]).toEqual([['leads one'], ['follows one']])
    one.stop()
    two.stop()
  })

  it('a leader that stops hands over at once', async () => {
    const { server, cluster } = leaseServer()
    const clock = fakeClock()
    const one = candidate(cluster, 'one', clock)
    await settle()
    const two = candidate(cluster, 'two', clock)
    await settle()
    one.stop()
    await settle()
    expect(server.lease?.spec).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1 })
    await clock.advance(2_000)
    expect(two.log).toEqual(['follows one', 'leads two'])
    expect(server.lease?.spec?.leaseTransitions).toBe(1)
    two.stop()
  })

  it('a paused leader is replaced after the lease ran out, however skewed the clocks are', async () => {
    const { server, cluster } = leaseServer()
    const paused = fakeClock()
    const one = candidate(cluster, 'one', paused, () => Date.parse('2031-01-01T00:00:00Z'))
    await settle()
    const clock = fakeClock(5_000_000)
    const two = candidate(cluster, 'two', clock)
    await clock.advance(14_000)
    expect(two.log).toEqual(['follows one'])
    await clock.advance(2_000)
    expect(two.log).toEqual(['follows one', 'leads two'])
    // It wakes up, finds its version outdated, and follows.
    await paused.advance(3_000)
    expect(one.log).toEqual(['leads one', 'follows two'])
    expect(server.lease?.spec?.holderIdentity).toBe('two')
    one.stop()
    two.stop()
  })

  it('an unreachable server costs the leadership after the renew deadline, before others may have it', async () => {
    const { server, cluster } = leaseServer()
    const clock = fakeClock()
    const one = candidate(cluster, 'one', clock)
    await settle()
    server.isDown = true
    await clock.advance(9_900)
    expect(one.log).toEqual(['leads one'])
    await clock.advance(200)
    expect(one.log).toEqual(['leads one', 'follows one'])
    expect(one.errors.length).toBeGreaterThan(2)
    server.isDown = false
    await clock.advance(3_000)
    expect(one.log.at(-1)).toBe('leads one')
    one.stop()
  })

  it('a server that is away for less than the renew deadline costs nothing', async () => {
    const { server, cluster } = leaseServer()
    const clock = fakeClock()
    const one = candidate(cluster, 'one', clock)
    await settle()
    server.isDown = true
    await clock.advance(7_000)
    server.isDown = false
    await clock.advance(20_000)
    expect(one.log).toEqual(['leads one'])
    one.stop()
  })

  it('losing the race for a write is not leading', async () => {
    const { server, cluster } = leaseServer()
    const clock = fakeClock()
    const slow: Cluster = {
      ...cluster,
      request: async <T>(request: ClusterRequest) => {
        if (request.method === 'POST')
          await cluster.request({
            ...request,
            body: { ...(request.body as Lease), spec: { ...(request.body as Lease).spec, holderIdentity: 'quick' } },
          })
        return cluster.request<T>(request)
      },
    }
    const one = candidate(slow, 'slow', clock)
    await clock.advance(10_000)
    expect(one.log).toEqual(['follows quick'])
    expect(server.lease?.spec?.holderIdentity).toBe('quick')
    one.stop()
  })

  it('refuses durations that contradict each other', () => {
    const { cluster } = leaseServer()
    expect(() =>
      watchLeadership(cluster, { name: 'l', namespace: 'n', identity: 'me', leaseDurationSeconds: 10 }),
    ).toThrow('leaseDurationSeconds >')
    expect(() =>
      watchLeadership(cluster, { name: 'l', namespace: 'n', identity: 'me', renewDeadlineSeconds: 2 }),
    ).toThrow('renewDeadlineSeconds >')
  })
})

describe('running as leader', () => {
  it('runs while leading, is told of the loss, waits for it to finish, and leads again', async () => {
    const { server, cluster } = leaseServer()
    const clock = fakeClock()
    const stop = new AbortController()
    const log: string[] = []
    const running = runAsLeader(
      cluster,
      { name: 'l', namespace: 'n', identity: 'one', clock, random: () => 0, signal: stop.signal },
      async (signal) => {
        log.push('begin')
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        await settle()
        log.push('end')
      },
    )
    await settle()
    server.isDown = true
    await clock.advance(11_000)
    expect(log).toEqual(['begin', 'end'])
    server.isDown = false
    await clock.advance(5_000)
    expect(log).toEqual(['begin', 'end', 'begin'])
    stop.abort()
    await running
    expect(log).toEqual(['begin', 'end', 'begin', 'end'])
    expect(server.lease?.spec?.holderIdentity).toBe('')
  })

  it('ends when the work is done, and releases the lease', async () => {
    const { server, cluster } = leaseServer()
    const clock = fakeClock()
    await runAsLeader(
      cluster,
      { name: 'l', namespace: 'n', identity: 'one', clock, signal: new AbortController().signal },
      async () => undefined,
    )
    expect(server.lease?.spec?.holderIdentity).toBe('')
    expect(clock.sleepers).toBe(0)
  })

  it('fails with the error of the work', async () => {
    const { server, cluster } = leaseServer()
    const work = async (): Promise<void> => {
      throw new Error('work broke')
    }
    await expect(
      runAsLeader(
        cluster,
        { name: 'l', namespace: 'n', identity: 'one', clock: fakeClock(), signal: new AbortController().signal },
        work,
      ),
    ).rejects.toThrow('work broke')
    expect(server.lease?.spec?.holderIdentity).toBe('')
  })

  it('does not release when told not to', async () => {
    const { server, cluster } = leaseServer()
    await runAsLeader(
      cluster,
      {
        name: 'l',
        namespace: 'n',
        identity: 'one',
        clock: fakeClock(),
        releaseOnAbort: false,
        signal: new AbortController().signal,
      },
      async () => undefined,
    )
    expect(server.lease?.spec?.holderIdentity).toBe('one')
  })
})
