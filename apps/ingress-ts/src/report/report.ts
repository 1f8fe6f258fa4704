// What the outside learns after a sync: metrics of certificates, orphans and quarantine, hosts that are counted, and
// what problems say about Ingresses, as log lines and events. Each piece of news is told once.

import { type Log, systemClock } from '@kubewire/daemon-kit'
import {
  type Ingress,
  type KubeObject,
  type ObjectKey,
  objectKey,
  type Problem,
  printProblem,
} from '@kubewire/kube-model'
import type { Model } from '@kubewire/nginx-gen'
import { createExpiryReport } from '../certificates/expiry-report.ts'
import type { CertificateFact, ControllerMetrics, Orphan } from '../metrics/metrics.ts'
import type { RequestMetrics } from '../metrics/request-metrics.ts'
import { isSameIngress } from '../sync/render-state.ts'
import type { Synchronizer } from '../sync/sync.ts'
import type { EventWriter } from './events.ts'

/** Where news go. */
export interface ReportParts {
  readonly metrics: ControllerMetrics
  readonly requestMetrics: RequestMetrics | undefined
  readonly events: EventWriter | undefined
  /** Whether each Ingress that is new or changed gets an Event. */
  readonly tellsSyncs: boolean
  readonly log: Log
}

/** Reports at once, or with what else comes within a second. */
export type Reporter = (when: 'now' | 'soon', synchronizer: Synchronizer) => void

/** Creates the reporter, to be called after each sync. */
export function createReporter(parts: ReportParts): Reporter {
  let told: ReadonlySet<string> = new Set()
  let timer: NodeJS.Timeout | undefined
  let synced: ReadonlyMap<ObjectKey, Ingress> = new Map()
  const expiries = createExpiryReport(parts.log)
  const report = (synchronizer: Synchronizer): void => {
    clearTimeout(timer)
    timer = undefined
    const running = synchronizer.running
    if (running === undefined) return
    const { model, served, problems } = running
    parts.requestMetrics?.setKnown(hostsOf(model), new Set(served.keys()))
    const certificates = certificateFacts(model)
    parts.metrics.certificates(certificates)
    expiries(certificates, systemClock.nowMs())
    parts.metrics.orphans(() => orphansOf(model))
    parts.metrics.configHash(hashOf(running.text))
    parts.metrics.quarantined([...synchronizer.quarantined.values()].map(({ ingress }) => nameOf(ingress)))
    const lines = new Map(problems.map((problem) => [printProblem(problem), problem] as const))
    for (const [line, problem] of lines) {
      if (!told.has(line))
        tellProblem(parts, line, problem, (object) => served.get(objectKey(object.namespace, object.name)))
    }
    told = new Set(lines.keys())
    if (parts.tellsSyncs) tellSyncs(parts, synced, served)
    synced = served
  }
  return (when, synchronizer) => {
    if (when === 'now') report(synchronizer)
    else timer ??= setTimeout(() => report(synchronizer), 1000).unref()
  }
}

// COMPAT: an Event for each Ingress that was taken over, new or changed (ingress-nginx 1.15 store.go).
function tellSyncs(
  { events }: ReportParts,
  before: ReadonlyMap<ObjectKey, Ingress>,
  served: ReadonlyMap<ObjectKey, Ingress>,
): void {
  for (const [key, object] of served) {
    const known = before.get(key)
    if (known === object || (known !== undefined && isSameIngress(known, object))) continue
    events?.tell({ object, type: 'Normal', reason: 'Sync', message: 'Scheduled for sync' })
  }
}

function tellProblem(
  parts: ReportParts,
  line: string,
  problem: Problem,
  find: (object: Problem['object']) => KubeObject | undefined,
): void {
  if (problem.severity === 'error') parts.log.error(line)
  else parts.log.warn(line)
  if (problem.object.kind !== 'Ingress') return
  const object = find(problem.object) ?? refObject(problem.object)
  const reason = problem.code.startsWith('NGX_ANNOTATION') ? 'AnnotationParsingFailed' : 'Rejected'
  if (problem.severity === 'error') {
    parts.events?.tell({
      object,
      type: 'Warning',
      reason,
      message: `${problem.path}: ${problem.message}; ${problem.fallback}`,
    })
  }
}

function refObject({ kind, namespace, name }: Problem['object']): KubeObject {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind,
    metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
  }
}

function hostsOf(model: Model): ReadonlySet<string> {
  // COMPAT: requests to the catch-all server count as requests to hosts of no Ingress.
  return new Set(model.servers.flatMap((server) => (server.host === '_' ? [] : [server.host, ...server.aliases])))
}

function certificateFacts(model: Model): readonly CertificateFact[] {
  const byId = new Map(model.tls.certificates.map((one) => [one.id, one] as const))
  return Object.entries(model.tls.hosts).flatMap(([host, id]) => {
    const certificate = id === 'default' ? model.tls.defaultCertificate : byId.get(id)
    if (certificate === undefined) return []
    const { facts, secret } = certificate
    return [
      {
        host,
        namespace: secret.namespace ?? '',
        secretName: secret.name,
        identifier: `${facts.serialNumber}-${facts.notAfterMs}`,
        issuerCommonName: facts.issuerCommonName,
        issuerOrganization: facts.issuerOrganization,
        serialNumber: facts.serialNumber,
        publicKeyAlgorithm: facts.publicKeyAlgorithm,
        notAfterMs: facts.notAfterMs,
      },
    ]
  })
}

// One pair of values per Ingress: some of its paths lead to no Service, or to one without endpoints.
function orphansOf(model: Model): readonly Orphan[] {
  const backends = new Map(model.backends.map((backend) => [backend.name, backend] as const))
  const found = new Map<
    string,
    { readonly namespace: string; readonly ingress: string; noService: boolean; noEndpoint: boolean }
  >()
  for (const { route } of model.servers.flatMap((server) => server.locations)) {
    if (route.ingress === undefined) continue
    const { namespace = '', name } = route.ingress
    const key = `${namespace}/${name}`
    const entry = found.get(key) ?? { namespace, ingress: name, noService: false, noEndpoint: false }
    found.set(key, entry)
    const backend = backends.get(route.backend)
    if (backend?.service === undefined && route.serviceName !== '') entry.noService = true
    else if (backend?.endpoints.length === 0) entry.noEndpoint = true
  }
  return [...found.values()].flatMap(({ namespace, ingress, noService, noEndpoint }) => [
    { namespace, ingress, type: 'no-service' as const, isOrphan: noService },
    { namespace, ingress, type: 'no-endpoint' as const, isOrphan: noEndpoint },
  ])
}

function nameOf({ metadata }: KubeObject): { readonly namespace: string; readonly ingress: string } {
  return { namespace: metadata?.namespace ?? '', ingress: metadata?.name ?? '' }
}

// FNV-1a, 32 bits: a number that changes with the text.
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
