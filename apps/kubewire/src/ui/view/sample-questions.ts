// What could be asked of this cluster, one question of each kind: for whoever sees the page for the first time, and for
// whoever asked something that means nothing here.

import type { Question } from '../engine/question.ts'
import type { ClusterSummary } from '../engine/summarize-cluster.ts'

/** A question with its words. */
export interface SampleQuestion {
  readonly text: string
  readonly question: Question
}

/** A name, a connection and a URL that lead somewhere, as far as there are any. */
export function sampleQuestions(summary: ClusterSummary): readonly SampleQuestion[] {
  const samples: SampleQuestion[] = []
  const reachable = summary.services.filter(({ endpoints }) => endpoints.some(({ isReady }) => isReady))
  const [named] = [...reachable, ...summary.services]
  if (named !== undefined) {
    const name = `${named.ref.name}.${named.ref.namespace}.svc.cluster.local`
    samples.push({ text: name, question: { kind: 'name', name, type: 'A', client: '' } })
  }
  const connected = reachable.find(({ address, firstPort }) => address !== 'headless' && firstPort !== undefined)
  if (connected !== undefined) {
    const [pod] = summary.pods
    const from = pod === undefined ? '192.0.2.99' : `pod/${pod}`
    const to = `service/${connected.ref.namespace}/${connected.ref.name}`
    samples.push({ text: `${from} → ${to}`, question: { kind: 'connection', from, to, protocol: '', node: '' } })
  }
  const [way] = summary.services.flatMap(({ ways }) => ways)
  if (way !== undefined) {
    samples.push({ text: `GET ${way.url}`, question: { kind: 'url', method: 'GET', url: way.url, headers: [] } })
  }
  return samples
}
