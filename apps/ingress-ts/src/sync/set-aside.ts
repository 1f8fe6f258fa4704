// Whom to blame when nginx refuses a state: Ingresses, each replaced by its last good version or dropped, then keys of the
// main ConfigMap. Every guess is tested with nginx itself; what it accepted last goes on running meanwhile.

import type { Log } from '@kubewire/daemon-kit'
import { type ClusterSnapshot, type ConfigMap, type Ingress, keyOf, type ObjectKey } from '@kubewire/kube-model'
import type { NginxFiles } from '../nginx/nginx-files.ts'
import type { NginxProcess, NginxRefusal } from '../nginx/nginx-process.ts'
import { frozenSnapshot } from './frozen-snapshot.ts'
import { mainConfigMap, withoutLeftOut, withoutSettings } from './left-out-settings.ts'
import { findGuilty, type Guilt } from './quarantine.ts'
import type { IngressFate, StateRenderer, WantedState } from './render-state.ts'

/** What a search works with. */
export interface SearchParts {
  readonly renderer: StateRenderer
  readonly files: Pick<NginxFiles, 'writeFiles' | 'writeCandidate' | 'candidateFile'>
  readonly nginx: Pick<NginxProcess, 'test'>
  readonly log: Log
  readonly onQuarantine: (object: Ingress | ConfigMap, refusal: NginxRefusal | undefined) => void
  /** `namespace/name` of the main ConfigMap. */
  readonly configMap: ObjectKey | undefined
}

/** An Ingress set aside, and why. */
export interface Quarantined {
  readonly ingress: Ingress
  /** Whether its last good version is still served. */
  readonly fate: 'previous' | 'drop'
  readonly refusal: NginxRefusal | undefined
}

/** What nginx says about a state; its files lie beside those of the running one. */
export async function testState(parts: SearchParts, wanted: WantedState): Promise<NginxRefusal | undefined> {
  await parts.files.writeFiles(wanted.files)
  await parts.files.writeCandidate(wanted.text)
  return parts.nginx.test(parts.files.candidateFile)
}

/** A refused state and what it was made of. */
export interface Refused {
  readonly snapshot: ClusterSnapshot
  readonly wanted: WantedState
  readonly refusal: NginxRefusal
  readonly fateOf: (ingress: Ingress) => IngressFate
}

/**
 * Puts those to blame into `quarantined` or `leftOut`. The cluster goes on changing meanwhile: all is found out about the
 * state of the moment when the search began, and what changed since is for the next sync.
 *
 * @returns a state that nginx accepts
 * @throws Error when nginx refuses even without any of them
 */
export async function setAside(
  parts: SearchParts,
  refused: Refused,
  quarantined: Map<ObjectKey, Quarantined>,
  leftOut: Map<string, string>,
): Promise<WantedState> {
  const { fateOf } = refused
  const frozen = frozenSnapshot(refused.snapshot)
  const render = (): WantedState => parts.renderer.render(withoutLeftOut(frozen, parts.configMap, leftOut), fateOf)
  const wanted = render()
  const refusal = wanted.text === refused.wanted.text ? refused.refusal : await testState(parts, wanted)
  if (refusal === undefined) {
    parts.log.warn('nginx refused the configuration, which has changed since', { message: refused.refusal.message })
    return wanted
  }
  parts.log.error('nginx refuses the configuration, looking for the Ingress to blame', { message: refusal.message })
  const search = { snapshot: withoutLeftOut(frozen, parts.configMap, leftOut), wanted, refusal, fateOf }
  for (const fate of ['previous', 'drop'] as const) {
    const { guilty, isResolved, testCount } = await searchGuilty(parts, search, fate)
    if (!isResolved) continue
    for (const { item, refusal: why } of guilty) {
      const isServed = fate === 'previous' && parts.renderer.hasGood(keyOf(item))
      setAsideOne(parts, item, { fate: isServed ? 'previous' : 'drop', refusal: why, tests: testCount }, quarantined)
    }
    return render()
  }
  if (await leaveOutSettings(parts, search, leftOut)) return render()
  throw new Error(`nginx refuses the configuration: ${refusal.message}`)
}

/** Puts one into `quarantined` and says so. */
export function setAsideOne(
  parts: SearchParts,
  ingress: Ingress,
  { fate, refusal, tests = 0 }: Pick<Quarantined, 'fate' | 'refusal'> & { readonly tests?: number },
  quarantined: Map<ObjectKey, Quarantined>,
): void {
  quarantined.set(keyOf(ingress), { ingress, refusal, fate })
  const what = fate === 'previous' ? 'its last good version is served' : 'it is not served'
  parts.log.error(`Ingress is set aside until it changes, ${what}`, {
    ingress: keyOf(ingress),
    message: refusal?.message ?? '',
    tests,
  })
  parts.onQuarantine(ingress, refusal)
}

// Even without any Ingress it is refused: a value of the main ConfigMap may be to blame. Its default holds then.
async function leaveOutSettings(parts: SearchParts, refused: Refused, leftOut: Map<string, string>): Promise<boolean> {
  const { snapshot, fateOf } = refused
  const configMap = mainConfigMap(snapshot, parts.configMap)
  const data = configMap?.data ?? {}
  const refusalOf = (kept: readonly string[]): Promise<NginxRefusal | undefined> => {
    const without = withoutSettings(snapshot, parts.configMap, (key) => !kept.includes(key))
    return testState(parts, parts.renderer.render(without, fateOf))
  }
  const { guilty, isResolved } = await findGuilty(Object.keys(data).sort(), refused.refusal, refusalOf)
  if (configMap === undefined || !isResolved) return false
  for (const { item: key, refusal } of guilty) {
    leftOut.set(key, data[key] ?? '')
    parts.log.error('setting is left out until it changes, its default holds', { key, message: refusal.message })
    parts.onQuarantine(configMap, { ...refusal, message: `setting ${key}: ${refusal.message}` })
  }
  return true
}

function searchGuilty(
  parts: SearchParts,
  { snapshot, wanted, refusal, fateOf }: Refused,
  fate: 'previous' | 'drop',
): Promise<Guilt<Ingress, NginxRefusal>> {
  const candidates = new Set(wanted.served.keys())
  const refusalOf = (kept: readonly Ingress[]): Promise<NginxRefusal | undefined> => {
    const keep = new Set(kept.map(keyOf))
    const state = parts.renderer.render(snapshot, (ingress) => {
      const key = keyOf(ingress)
      return candidates.has(key) && !keep.has(key) ? fate : fateOf(ingress)
    })
    return testState(parts, state)
  }
  return findGuilty([...wanted.served.values()], refusal, refusalOf)
}
