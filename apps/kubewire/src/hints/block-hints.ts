// Several server blocks hold a name, and only the one with the longest zone is asked: what another would have answered.
// Pure: nothing is asked but the plugins over the same objects.

import {
  blockName,
  createDnsServer,
  explainQuery,
  foldName,
  isUnder,
  type Listener,
  plainPorts,
  type Query,
  type QueryExplanation,
  type RunningBlock,
} from '@kubewire/dns-core'
import type { ClusterSnapshot, Explanation } from '@kubewire/kube-model'

/** One step for each block with a shorter zone that would answer with records of its own, or ask for another name. */
export async function blockHints(
  listener: Listener,
  snapshot: ClusterSnapshot,
  query: Query,
  explanation: QueryExplanation,
): Promise<readonly Explanation[]> {
  const { zone } = explanation
  if (zone === undefined) return []
  const hints: Explanation[] = []
  for (const block of listener.blocks) {
    const other = zoneOf(block, listener, query)
    if (other === undefined || other.length >= zone.length) continue
    const would = await askAlone(block, listener, snapshot, query)
    const renamed = would === undefined ? undefined : changedQuestion(would)
    if (would === undefined || (would.outcome !== 'records' && renamed === undefined)) continue
    const answer = would.outcome === 'records' ? would.what.slice(would.what.indexOf('→')) : `→ ${renamed}`
    const [is, takes] = [blockName(listener, other), blockName(listener, zone)]
    hints.push({
      where: 'hint',
      what: `the block ${is} has rules for this name (${answer}), but ${takes} is the longer zone and is asked alone`,
    })
  }
  return hints
}

/** The longest zone of a block on this listener that holds the name. */
function zoneOf({ plan }: RunningBlock, { scheme, port }: Listener, { name }: Query): string | undefined {
  const zones = plan.facts.keys.filter((key) => key.scheme === scheme && key.port === port).map(({ zone }) => zone)
  const holding = zones.filter((zone) => isUnder(zone, foldName(name)))
  return holding.sort((a, b) => b.length - a.length)[0]
}

async function askAlone(
  { plan }: RunningBlock,
  { scheme, port }: Listener,
  snapshot: ClusterSnapshot,
  query: Query,
): Promise<QueryExplanation | undefined> {
  const server = createDnsServer([plan], plainPorts({ snapshot }))
  const listener = server.listeners.find((one) => one.scheme === scheme && one.port === port)
  const would = listener === undefined ? undefined : await explainQuery(listener, query)
  server.close()
  return would
}

/** `question A a. → A b.`, where a plugin asks for another name. */
function changedQuestion(step: Explanation): string | undefined {
  if (step.changed?.startsWith('question ') === true) return step.changed
  for (const inner of step.steps ?? []) {
    const found = changedQuestion(inner)
    if (found !== undefined) return found
  }
  return undefined
}
