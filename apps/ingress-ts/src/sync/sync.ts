// One change after the other reaches nginx: wanted state → plan → data push, or test, rename, reload. What nginx accepted
// last goes on running whatever happens here; our idea of it advances only after nginx took the new state.

import { systemClock } from '@kubewire/daemon-kit'
import { type ClusterSnapshot, type Ingress, keyOf, type ObjectKey } from '@kubewire/kube-model'
import { type DataChange, foundState, isEmptyChange, planUpdate, withChange, withDataOf } from '@kubewire/nginx-gen'
import { type DataPush, PushError, takenOver } from '../nginx/data-push.ts'
import type { NginxFiles } from '../nginx/nginx-files.ts'
import type { NginxProcess } from '../nginx/nginx-process.ts'
import { withoutLeftOut } from './left-out-settings.ts'
import { createPatternAudit } from './pattern-audit.ts'
import { type IngressFate, isSameIngress, type WantedState } from './render-state.ts'
import { type Quarantined, type SearchParts, setAside, setAsideOne, testState } from './set-aside.ts'

/** What the synchroniser works with. */
export interface SyncParts extends SearchParts {
  readonly files: NginxFiles
  readonly nginx: NginxProcess
  readonly push: DataPush
  /** Configuration of an nginx that runs already, whose data is not known. */
  readonly found: string | undefined
  /** Most reloads per second (`--sync-rate-limit`). */
  readonly reloadsPerSecond: number
  readonly pushRetries: number
  /** How long before a reload clients are asked to open new connections; 0 is not at all. */
  readonly drainMs: number
  /** Waits for what a rendering asked for and did not find yet; whether it should ask again. */
  readonly settle: () => Promise<boolean>
  /** All that is not set aside is in force, by a reload or as data. */
  readonly onAccepted: () => void
  readonly onReload: (outcome: { readonly isAccepted: boolean; readonly reasons: readonly string[] }) => void
}

/** Applies snapshots. Calls must not overlap. */
export interface Synchronizer {
  /**
   * @param scope - Services whose endpoints are all that changed since the last sync that applied everything
   * @returns milliseconds until a reload is allowed that had to wait, `undefined` when all is applied
   */
  sync(snapshot: ClusterSnapshot, scope: SyncScope): Promise<number | undefined>
  /** The next sync starts nginx anew with everything. */
  forgetRunning(): void
  readonly running: WantedState | undefined
  readonly quarantined: ReadonlyMap<ObjectKey, Quarantined>
}

const mostQuestions = 3
/** How long until it is looked again whether old workers have ended, with `enable-serial-reloads`. */
const serialWaitMs = 1000

/** What may differ from what runs: everything, or the endpoints of some Services. */
export type SyncScope = 'all' | ReadonlySet<ObjectKey>

/** Creates a synchroniser; nginx is started by its first sync. */
export function createSynchronizer(parts: SyncParts): Synchronizer {
  const quarantined = new Map<ObjectKey, Quarantined>()
  /** Keys of the main ConfigMap with the values that nginx refuses. */
  const leftOut = new Map<string, string>()
  let running: WantedState | undefined
  let nextReloadMs = 0
  const fateOf = (ingress: Ingress): IngressFate => fateIn(quarantined, ingress)
  const pushData = (change: DataChange): Promise<void> => retryPush(parts, () => parts.push.pushChange(change))
  // While a reload is under way or has to wait, what the running text can serve need not.
  const pushEarly = async (change: DataChange): Promise<void> => {
    if (running === undefined || isEmptyChange(change)) return
    await pushData(change)
    running = withChange(running, change)
  }
  const { adopt, applyReload } = createHandover(parts)
  const audit = createPatternAudit(parts.push)
  const setAsidePaths = async (wanted: WantedState): Promise<boolean> =>
    setAsideRefused(parts, await audit(wanted), { wanted, running, quarantined })
  const syncEndpoints = async (snapshot: ClusterSnapshot, services: ReadonlySet<ObjectKey>): Promise<boolean> => {
    const wanted = running && parts.renderer.refresh(running, snapshot, services)
    if (wanted === undefined) return false
    const plan = planUpdate(running, wanted)
    if (plan.kind === 'reload') return false
    if (plan.kind === 'data') await pushData(plan.change)
    running = wanted
    return true
  }
  const syncAll = async (given: ClusterSnapshot): Promise<number | undefined> => {
    releaseChanged(given, quarantined)
    const snapshot = withoutLeftOut(given, parts.configMap, leftOut)
    let wanted = await renderSettled(parts, snapshot, fateOf)
    running ??= await adopt(wanted)
    if (running !== undefined && (await setAsidePaths(wanted))) wanted = parts.renderer.render(snapshot, fateOf)
    let plan = planUpdate(running, wanted)
    if (plan.kind === 'reload') {
      // A route may name a file of passwords.
      await parts.files.writeFiles(wanted.files)
      await pushEarly(plan.early)
      const waitMs = waitBeforeReload(parts, running, nextReloadMs)
      if (waitMs > 0) return waitMs
      nextReloadMs = systemClock.nowMs() + 1000 / parts.reloadsPerSecond
      const refusal = await testWithoutExtension(parts, wanted, () => {
        wanted = parts.renderer.render(snapshot, fateOf)
        plan = planUpdate(running, wanted)
        return plan.kind === 'reload' ? wanted : undefined
      })
      if (refusal !== undefined) {
        parts.onReload({ isAccepted: false, reasons: [refusal.message] })
        wanted = await setAside(parts, { snapshot: given, wanted, refusal, fateOf }, quarantined, leftOut)
        plan = planUpdate(running, wanted)
      }
    }
    const isStart = running === undefined
    if (plan.kind === 'reload') await applyReload(wanted, plan.reasons)
    else if (plan.kind === 'data') {
      await parts.files.writeFiles(newFiles(running, wanted))
      await pushData(plan.change)
    }
    if (isStart && (await setAsidePaths(wanted))) {
      running = wanted
      return syncAll(given)
    }
    running = plan.kind === 'reload' || running === undefined ? wanted : withDataOf(running, wanted)
    parts.renderer.accept(running)
    parts.renderer.keepClasses(running.rendered)
    parts.onAccepted()
    return undefined
  }
  return {
    get running() {
      return running
    },
    quarantined,
    forgetRunning: () => {
      running = undefined
    },
    sync: async (snapshot, scope) => {
      try {
        if (scope !== 'all' && (await syncEndpoints(snapshot, scope))) return undefined
        return await syncAll(snapshot)
      } finally {
        // It may have ended right after it took everything.
        if (parts.nginx.pid === undefined) running = undefined
      }
    },
  }
}

function fateIn(quarantined: ReadonlyMap<ObjectKey, Quarantined>, ingress: Ingress): IngressFate {
  const entry = quarantined.size === 0 ? undefined : quarantined.get(keyOf(ingress))
  return entry === undefined || !isSameIngress(entry.ingress, ingress) ? 'serve' : entry.fate
}

/** Milliseconds; the first start waits for nothing. */
function waitBeforeReload({ nginx }: SyncParts, running: WantedState | undefined, nextReloadMs: number): number {
  if (running === undefined) return 0
  const isSerial = running.model.settings['enable-serial-reloads']
  const waitMs = nextReloadMs - systemClock.nowMs()
  return waitMs <= 0 && isSerial && nginx.hasOldWorkers() ? serialWaitMs : waitMs
}

/** Sets Ingresses aside of which nginx cannot use a path that is data; whether there were any. */
function setAsideRefused(
  parts: SyncParts,
  refused: Awaited<ReturnType<ReturnType<typeof createPatternAudit>>>,
  {
    wanted,
    running,
    quarantined,
  }: {
    readonly wanted: WantedState
    readonly running: WantedState | undefined
    readonly quarantined: Map<ObjectKey, Quarantined>
  },
): boolean {
  for (const { ingress: key, field, message } of refused) {
    const ingress = wanted.served.get(key)
    if (ingress === undefined || quarantined.has(key)) continue
    const fate = running?.served.has(key) ? 'previous' : 'drop'
    const refusal = { message: `${field}: ${message}`, line: undefined }
    setAsideOne(parts, ingress, { fate, refusal }, quarantined)
  }
  return refused.length > 0
}

/** What nginx refuses, once more without the extension where there is one; `renderAgain`: what is to be loaded then. */
async function testWithoutExtension(
  parts: SyncParts,
  wanted: WantedState,
  renderAgain: () => WantedState | undefined,
): ReturnType<typeof testState> {
  const refusal = await testState(parts, wanted)
  if (refusal === undefined || !giveUpExtension(parts, refusal.message)) return refusal
  const plain = renderAgain()
  return plain === undefined ? undefined : testState(parts, plain)
}

/** From one configuration of nginx to the next, and from another controller's nginx to ours. */
function createHandover(parts: SyncParts): {
  /** Goes on with an nginx that runs already, where what it has read will do. */
  adopt(wanted: WantedState): Promise<WantedState | undefined>
  applyReload(wanted: WantedState, reasons: readonly string[]): Promise<void>
} {
  // What an nginx has read that another controller started, until we know what it holds.
  let { found } = parts
  const applyReload = async (wanted: WantedState, reasons: readonly string[]): Promise<void> => {
    const isStart = parts.nginx.pid === undefined
    const isOurs = !isStart && found === undefined
    if (isOurs && !(await parts.push.isOwner())) throw new PushError('another controller has taken over', takenOver)
    await swapConfig(parts, wanted, isStart)
    if (!isOurs) await parts.push.takeOver()
    found = undefined
    await retryPush(parts, () => parts.push.pushAll(wanted.data))
    parts.log.info(isStart ? 'nginx started' : 'nginx reloaded', { reasons: reasons.join('; ') })
    parts.onReload({ isAccepted: true, reasons })
  }
  const adopt = async (wanted: WantedState): Promise<WantedState | undefined> => {
    const state = found === undefined ? undefined : foundState(found, wanted)
    if (state === undefined || planUpdate(state, wanted).kind === 'reload') return undefined
    await parts.files.writeFiles(wanted.files)
    await parts.push.takeOver()
    await retryPush(parts, () => parts.push.pushAll(wanted.data))
    found = undefined
    parts.log.info('nginx is taken over as it runs', { pid: parts.nginx.pid })
    return state
  }
  return { adopt, applyReload }
}

// To ask for a Secret is what makes it be read: what was asked for the first time is there at the second.
async function renderSettled(
  parts: SyncParts,
  snapshot: ClusterSnapshot,
  fateOf: (ingress: Ingress) => IngressFate,
): Promise<WantedState> {
  let wanted = renderExtended(parts, snapshot, fateOf)
  for (let left = mostQuestions; left > 0 && (await parts.settle()); left--) {
    wanted = renderExtended(parts, snapshot, fateOf)
  }
  return wanted
}

// An extension that throws is given up for the one before; what has worked and throws now fails the sync, named.
function renderExtended(
  parts: SyncParts,
  snapshot: ClusterSnapshot,
  fateOf: (ingress: Ingress) => IngressFate,
): WantedState {
  try {
    return parts.renderer.render(snapshot, fateOf)
  } catch (error) {
    if (!giveUpExtension(parts, error instanceof Error ? error.message : String(error))) throw error
    return parts.renderer.render(snapshot, fateOf)
  }
}

function giveUpExtension({ renderer, log }: SyncParts, message: string): boolean {
  const given = renderer.giveUpExtension()
  if (given !== undefined) log.error('the extension is left out until it changes', { file: given.file, message })
  return given !== undefined
}

// Something changed it: it gets another chance.
function releaseChanged(snapshot: ClusterSnapshot, quarantined: Map<ObjectKey, Quarantined>): void {
  for (const [key, { ingress }] of quarantined) {
    const { name = '', namespace } = ingress.metadata ?? {}
    const now = snapshot.ingresses.get(name, namespace)
    if (now === undefined || !isSameIngress(now, ingress)) quarantined.delete(key)
  }
}

// Contents decide names: what has been written is right.
function newFiles(running: WantedState | undefined, wanted: WantedState): WantedState['files'] {
  if (running === undefined || running.files === wanted.files) return []
  const known = new Set(running.files.map(({ name }) => name))
  return wanted.files.filter(({ name }) => !known.has(name))
}

async function swapConfig(parts: SyncParts, wanted: WantedState, isStart: boolean): Promise<void> {
  const { files, nginx, push } = parts
  await files.writeFiles(wanted.files)
  await files.writeConfig(wanted.text)
  if (isStart) {
    files.removeSockets()
    await nginx.start(files.configFile)
    await waitForGeneration(parts, 1)
  } else {
    const before = await push.generation()
    await drainConnections(parts)
    nginx.reload()
    await waitForGeneration(parts, before + 1)
  }
  files.removeFilesExcept(new Set(wanted.files.map((file) => file.name)))
}

// A reload closes connections that wait for their next request, and one that is on its way then is lost. Whoever asks
// within this time learns that the connection is over and opens another, where none is lost.
async function drainConnections({ push, drainMs, log }: SyncParts): Promise<void> {
  if (drainMs <= 0) return
  try {
    // The question itself is one.
    if (Number(/Active connections: (\d+)/.exec(await push.status())?.[1] ?? 0) <= 1) return
    // nginx takes its time to start the new workers; until the old ones end they go on saying it.
    await push.drain(drainMs + 1000)
    await systemClock.sleep(drainMs)
  } catch (error) {
    log.warn('connections are not drained before the reload', { error: error instanceof Error ? error.message : '' })
  }
}

const generationLimitMs = 60_000
/** A new nginx of a small configuration is there after 20 ms. */
const generationPollMs = 3

async function waitForGeneration({ nginx, push }: SyncParts, wanted: number): Promise<void> {
  const untilMs = systemClock.nowMs() + generationLimitMs
  for (;;) {
    const found = await push.generation().catch(() => 0)
    if (found >= wanted) return
    if (nginx.pid === undefined) throw new Error('nginx ended before it took the new configuration')
    if (systemClock.nowMs() > untilMs) throw new Error('nginx did not take the new configuration within a minute')
    await systemClock.sleep(generationPollMs)
  }
}

// 1 s, then 1.3 times as long each time (ingress-nginx 1.15, dynamic configuration back-off).
async function retryPush(parts: SyncParts, attempt: () => Promise<void>): Promise<void> {
  let delayMs = 1000
  for (let left = parts.pushRetries; ; left--) {
    try {
      return await attempt()
    } catch (error) {
      // An nginx that has ended takes nothing any more: it is started anew by the next sync.
      const isOver = parts.nginx.pid === undefined || (error instanceof PushError && error.status === takenOver)
      if (left <= 0 || isOver) throw error
      parts.log.warn('nginx did not take the data, trying again', {
        error: error instanceof Error ? error.message : '',
      })
    }
    await systemClock.sleep(delayMs)
    delayMs *= 1.3
  }
}
