// The part of a case that needs no nginx: facts about the configuration that the library renders, the round trip of its
// text, each hostile object also alone, and requests whose answer the simulator knows for sure.

import type { KubeObject } from '@kubewire/kube-model'
import { snapshotOf } from '@kubewire/kube-model'
import {
  admitIngress,
  type ConfigTree,
  type Model,
  parseConfig,
  plainTree,
  printConfig,
  renderConfig,
  sourceTree,
  translateIngresses,
} from '@kubewire/nginx-gen'
import type { CaseFile, ProbeResult } from '../area.ts'
import type { AdmissionSpec, IngressCase } from './case-file.ts'
import { type KeyPair, makeCertificates } from './certificates.ts'
import { checkConfigFacts } from './config-facts.ts'
import { holds } from './expect.ts'
import { createCompleter } from './objects.ts'
import { fillPlaceholders } from './placeholders.ts'
import { simulateProbe } from './simulate-request.ts'

/** Runs what can be run in process; what cannot is skipped with the reason. */
export async function runInLibrary(file: CaseFile): Promise<readonly ProbeResult[]> {
  const given = file.data as unknown as IngressCase
  // Without openssl the Secrets hold placeholders, and hosts get the default certificate.
  const certificates = await makeCertificates(given.certificates ?? []).catch(() => new Map<string, KeyPair>())
  const data = fillPlaceholders(given, { certificates })
  const skip = (probe: string, detail: string): ProbeResult => ({ probe, outcome: 'skipped', detail })
  if (data.flagErrors !== undefined) return [skip('flagErrors', 'needs the running controller')]
  const objects = completeObjects(data)
  const results: ProbeResult[] = []
  const text = renderText(objects, data)
  results.push(roundTrip('round trip', text.text, text.wanted))
  if (data.safety !== undefined) {
    for (const ingress of objects.filter((one) => one.kind === 'Ingress')) {
      const alone = renderText(
        objects.filter((one) => one.kind !== 'Ingress' || one === ingress),
        data,
      )
      results.push(
        roundTrip(
          `round trip with Ingress ${ingress.metadata?.namespace}/${ingress.metadata?.name} alone`,
          alone.text,
          alone.wanted,
        ),
      )
    }
  }
  if (data.config !== undefined) {
    const isField = file.suite.startsWith('field')
    for (const { fact, complaint } of checkConfigFacts(text.text, data.config, isField)) {
      results.push({
        probe: `config ${fact}`,
        outcome: complaint === undefined ? 'passed' : 'failed',
        ...(complaint === undefined ? {} : { detail: complaint }),
      })
    }
    if (data.config.valid !== undefined) results.push(skip('config valid', 'needs nginx'))
  }
  const world = { tree: sourceTree(text.tree), model: text.model, backends: data.backends ?? [] }
  for (const [at, spec] of (data.requests ?? []).entries()) {
    const name = `requests[${at}] ${spec.method ?? 'GET'} ${spec.scheme ?? 'http'}://${spec.host ?? ''}${(spec.path ?? '/').slice(0, 80)}`
    results.push(simulateProbe(name, fillPlaceholders(spec, { certificates, n: 0 }), world))
  }
  const admissions = Array.isArray(data.admission) ? (data.admission as readonly AdmissionSpec[]) : []
  results.push(...admissions.map((spec, at) => runAdmission(`admission[${at}]`, spec, objects, data)))
  const rest = [data.steps, data.metrics, data.status].some((part) => part !== undefined)
  if (rest) results.push(skip('steps, metrics and status', 'need the running controller'))
  return results
}

const configMapName = { namespace: 'kubewire-test', name: 'ingress-config' }

function completeObjects(data: IngressCase): readonly KubeObject[] {
  const complete = createCompleter()
  const own =
    data.configMap === undefined
      ? []
      : [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: configMapName, data: data.configMap } as KubeObject]
  return [...(data.cluster ?? []), ...own].map(complete)
}

// The library decides about admission; only raw bodies need the server.
function runAdmission(
  probe: string,
  spec: AdmissionSpec,
  objects: readonly KubeObject[],
  data: IngressCase,
): ProbeResult {
  const { object, reject } = spec
  if (object === undefined) return { probe, outcome: 'skipped', detail: 'needs the webhook server' }
  const uid = object.metadata?.uid ?? '6f2a5a8e-0000-4000-8000-000000000001'
  const { isAllowed, message } = admitIngress(
    snapshotOf(objects),
    { ...object, metadata: { ...object.metadata, uid } },
    optionsOf(data),
  )
  if (reject === 'either') return { probe, outcome: 'passed' }
  const isRight = isAllowed === !reject && (!reject || spec.reason === undefined || holds(spec.reason, message))
  return isRight
    ? { probe, outcome: 'passed' }
    : { probe, outcome: 'failed', detail: `allowed: ${isAllowed}; ${message}` }
}

interface Rendered {
  readonly text: string
  readonly wanted: string
  readonly tree: ConfigTree
  readonly model: Model
}

function optionsOf(data: IngressCase): object {
  return { configMap: `${configMapName.namespace}/${configMapName.name}`, ...flagOptions(data) }
}

function renderText(objects: readonly KubeObject[], data: IngressCase): Rendered {
  const { value } = translateIngresses(snapshotOf(objects), optionsOf(data))
  const tree = renderConfig(value)
  return { text: printConfig(tree), wanted: JSON.stringify(plainTree(tree)), tree, model: value }
}

// The few flags that change the text.
function flagOptions(data: IngressCase): { readonly [name: string]: unknown } {
  const flags = new Map((data.flags ?? []).map((flag) => flag.replace(/^--/, '').split('=') as [string, string]))
  const text = (flag: string, option: string): object => (flags.has(flag) ? { [option]: flags.get(flag) } : {})
  const bool = (flag: string, option: string): object =>
    flags.has(flag) ? { [option]: flags.get(flag) !== 'false' } : {}
  return {
    ...text('ingress-class', 'ingressClass'),
    ...text('controller-class', 'controllerClass'),
    ...bool('watch-ingress-without-class', 'watchWithoutClass'),
    ...bool('ingress-class-by-name', 'classByName'),
    ...bool('disable-catch-all', 'disableCatchAll'),
    ...text('default-backend-service', 'defaultBackendService'),
    ...text('default-ssl-certificate', 'defaultCertificate'),
    ...text('tcp-services-configmap', 'tcpServices'),
    ...text('udp-services-configmap', 'udpServices'),
  }
}

function roundTrip(probe: string, text: string, wanted: string): ProbeResult {
  const { value, problems } = parseConfig(text)
  const found = JSON.stringify(plainTree(value))
  if (problems.length === 0 && found === wanted) return { probe, outcome: 'passed' }
  return { probe, outcome: 'failed', detail: problems[0]?.message ?? 'the parsed tree differs from the printed one' }
}
