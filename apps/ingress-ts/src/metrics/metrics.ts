// The controller's own metrics: names, types and labels of ingress-nginx 1.15.1 (internal/ingress/metric/collectors).
// Metrics of requests and of the nginx process have files of their own.

import type { Metrics } from '@kubewire/daemon-kit'
import type { AdmissionCost } from '../admission.ts'

type Gauge = ReturnType<Metrics['gauge']>
type Counter = ReturnType<Metrics['counter']>

/** The labels that every series carries. */
export interface ControllerLabels {
  readonly controller_namespace: string
  readonly controller_class: string
  readonly controller_pod: string
}

/** Values the controller reports. */
export interface ControllerMetrics {
  /** `reasons` in the words of the log; counted by kind. */
  reloaded(isAccepted: boolean, reasons: readonly string[]): void
  /** What was wanted is in force, also where that took no reload. */
  accepted(): void
  configHash(hash: number): void
  admission(outcome: 'success' | 'error', namespace: string, ingress: string, cost: AdmissionCost): void
  isLeader(name: string, isLeader: boolean): void
  /** The list is made when somebody asks for the metrics: with thousands of Ingresses that costs more than a change. */
  orphans(list: () => readonly Orphan[]): void
  certificates(list: readonly CertificateFact[]): void
  quarantined(list: readonly { readonly namespace: string; readonly ingress: string }[]): void
}

/** A path of an Ingress whose Service or endpoints are missing. */
export interface Orphan {
  readonly namespace: string
  readonly ingress: string
  readonly type: 'no-service' | 'no-endpoint'
  readonly isOrphan: boolean
}

/** What is told about a served certificate. */
export interface CertificateFact {
  readonly host: string
  readonly namespace: string
  readonly secretName: string
  readonly identifier: string
  readonly issuerCommonName: string
  readonly issuerOrganization: string
  readonly serialNumber: string
  readonly publicKeyAlgorithm: string
  readonly notAfterMs: number
}

const prefix = 'nginx_ingress_controller_'
const common = ['controller_namespace', 'controller_class', 'controller_pod'] as const

/** Registers the metrics. */
export function createControllerMetrics(
  metrics: Metrics,
  labels: ControllerLabels,
  version: string,
  className: string,
): ControllerMetrics {
  const series = registerSeries(metrics)
  const { hash, build, successful, successTime, success, errors, because } = series
  const { checks, cost, leader, orphan, quarantine, expire, info } = series
  build.set({ ...labels, release: version, build: 'kubewire', repository: 'kubewire' }, 1)
  success.inc({ ...labels }, 0)
  errors.inc({ ...labels }, 0)
  return {
    reloaded: (isAccepted, reasons) => {
      successful.set({ ...labels }, isAccepted ? 1 : 0)
      if (isAccepted) for (const reason of new Set(reasons.map(kindOfReason))) because.inc({ ...labels, reason })
      if (!isAccepted) return errors.inc({ ...labels })
      successTime.set({ ...labels }, Math.floor(Date.now() / 1000))
      success.inc({ ...labels })
    },
    accepted: () => successful.set({ ...labels }, 1),
    configHash: (value) => hash.set({ ...labels }, value),
    admission: (outcome, namespace, ingress, { ingresses, checkSeconds, totalSeconds, configBytes }) => {
      checks[outcome].inc({ ...labels, namespace, ingress })
      // Nothing is given to nginx (CVE-2025-1974): to test and to render is one thing.
      cost.testedIngresses.set({ ...labels }, ingresses)
      cost.renderedIngresses.set({ ...labels }, ingresses)
      cost.testedSeconds.set({ ...labels }, checkSeconds)
      cost.renderedSeconds.set({ ...labels }, checkSeconds)
      cost.totalSeconds.set({ ...labels }, totalSeconds)
      cost.configSize.set({ ...labels }, configBytes)
    },
    isLeader: (name, isLeader) => leader.set({ ...labels, name }, isLeader ? 1 : 0),
    orphans: (list) =>
      orphan(() => list().map(({ isOrphan, ...own }) => ({ labels: { ...labels, ...own }, value: isOrphan ? 1 : 0 }))),
    quarantined: (list) => quarantine(() => list.map((own) => ({ labels: { ...labels, ...own }, value: 1 }))),
    certificates: (list) => {
      expire(() => list.map((one) => ({ labels: namesOf(one, className), value: Math.floor(one.notAfterMs / 1000) })))
      info(() =>
        list.map((one) => ({
          labels: {
            ...namesOf(one, className),
            issuer_common_name: one.issuerCommonName,
            issuer_organization: one.issuerOrganization,
            serial_number: one.serialNumber,
            public_key_algorithm: one.publicKeyAlgorithm,
          },
          value: 1,
        })),
      )
    },
  }
}

function namesOf({ host, namespace, secretName, identifier }: CertificateFact, className: string): Labels {
  return { class: className, host, namespace, secret_name: secretName, identifier }
}

type Labels = { readonly [name: string]: string }

/** Replaces all series of a gauge: the list is made when the metrics are asked for the next time. */
type WholeGauge = (list: () => readonly { readonly labels: Labels; readonly value: number }[]) => void

function wholeGauge(metrics: Metrics, name: string, help: string, labelNames: readonly string[]): WholeGauge {
  let waiting: Parameters<WholeGauge>[0] | undefined
  metrics.gauge({
    name: prefix + name,
    help,
    labelNames: [...labelNames],
    collect() {
      if (waiting === undefined) return
      this.reset()
      for (const { labels, value } of waiting()) this.set(labels, value)
      waiting = undefined
    },
  })
  return (list) => {
    waiting = list
  }
}

/** Kind of a reason, so that series do not grow with hosts: start, setting, host, path, stream, file, certificate. */
export function kindOfReason(reason: string): string {
  if (/^host \S+ path /.test(reason)) return 'path'
  const kind = /^(?:start|setting|host|stream|default certificate|content of a file)\b/.exec(reason)?.[0]
  if (kind === 'content of a file') return 'file'
  return kind === 'default certificate' ? 'certificate' : (kind ?? 'other')
}

/** Names, help texts and labels. */
function registerSeries(metrics: Metrics) {
  const gauge = (name: string, help: string, more: readonly string[] = []): Gauge =>
    metrics.gauge({ name: prefix + name, help, labelNames: [...common, ...more] })
  const counter = (name: string, help: string, more: readonly string[] = []): Counter =>
    metrics.counter({ name: prefix + name, help, labelNames: [...common, ...more] })
  const build = gauge('build_info', 'A metric with a constant 1 labeled with information about the build.', [
    'release',
    'build',
    'repository',
  ])
  const hash = gauge('config_hash', 'Running configuration hash actually running')
  const successful = gauge(
    'config_last_reload_successful',
    'Whether the last configuration reload attempt was successful',
  )
  const successTime = gauge(
    'config_last_reload_successful_timestamp_seconds',
    'Timestamp of the last successful configuration reload.',
  )
  const success = counter('success', 'Cumulative number of Ingress controller reload operations')
  const errors = counter('errors', 'Cumulative number of Ingress controller errors during reload operations')
  const because = counter('reload_reasons', 'Reloads by what made them necessary; ours.', ['reason'])
  const checks = {
    success: counter('check_success', 'Cumulative number of Ingress controller syntax check operations', [
      'namespace',
      'ingress',
    ]),
    error: counter('check_errors', 'Cumulative number of Ingress controller errors during syntax check operations', [
      'namespace',
      'ingress',
    ]),
  }
  const cost = registerAdmissionCost(metrics, gauge)
  const leader = gauge(
    'leader_election_status',
    'Gauge reporting status of the leader election, 0 indicates follower, 1 indicates leader.',
    ['name'],
  )
  const orphan = wholeGauge(
    metrics,
    'orphan_ingress',
    'Gauge reporting status of ingress orphanity, 1 indicates orphaned ingress.',
    [...common, 'namespace', 'ingress', 'type'],
  )
  const quarantine = wholeGauge(
    metrics,
    'quarantined_ingress',
    'Ingresses that are set aside because nginx refuses what they lead to.',
    [...common, 'namespace', 'ingress'],
  )
  const secret = ['class', 'host', 'namespace', 'secret_name', 'identifier']
  const expire = wholeGauge(
    metrics,
    'ssl_expire_time_seconds',
    'Number of seconds since 1970 to the SSL Certificate expire.',
    secret,
  )
  const info = wholeGauge(metrics, 'ssl_certificate_info', 'Hold all labels associated to a certificate', [
    ...secret,
    ...['issuer_common_name', 'issuer_organization', 'serial_number', 'public_key_algorithm'],
  ])
  return {
    hash,
    build,
    successful,
    successTime,
    success,
    errors,
    because,
    checks,
    cost,
    leader,
    orphan,
    quarantine,
    expire,
    info,
  }
}

/** What answers of the webhook take. */
function registerAdmissionCost(metrics: Metrics, gauge: (name: string, help: string) => Gauge) {
  return {
    testedIngresses: gauge(
      'admission_tested_ingresses',
      'The length of ingresses processed by the admission controller',
    ),
    testedSeconds: gauge('admission_tested_duration', 'The processing duration of the admission controller tests'),
    renderedIngresses: gauge(
      'admission_render_ingresses',
      'The length of ingresses rendered by the admission controller',
    ),
    renderedSeconds: gauge(
      'admission_render_duration',
      'The processing duration of ingresses rendering by the admission controller',
    ),
    totalSeconds: gauge(
      'admission_roundtrip_duration',
      'The complete duration of the admission controller at the time to process a new event',
    ),
    // COMPAT: without the prefix (ingress-nginx 1.15 collectors/admission.go).
    configSize: metrics.gauge({
      name: 'admission_config_size',
      help: 'The size of the tested configuration',
      labelNames: [...common],
    }),
  }
}
