// The part of a case that needs no nginx: facts about the configuration that the library renders, the round trip of its
// text, each hostile object also alone, and requests whose answer the simulator knows for sure.

import { type KubeObject, keyOf, snapshotOf } from '@kubewire/kube-model'
import type { CaseFile, ProbeResult } from '@kubewire/kube-model/cases'
import { admitIngress } from '../admission/admit-ingress.ts'
import type { ConfigTree } from '../config/node.ts'
import { parseConfig } from '../config/parse.ts'
import { plainTree } from '../config/plain.ts'
import { printConfig } from '../config/print.ts'
import type { Model } from '../model/model.ts'
import { renderConfig } from '../render/render.ts'
import { renderRouted } from '../routes/render-routed.ts'
import { lookupIn } from '../routes/table.ts'
import { routedLua } from '../simulate/model-lua.ts'
import { sourceTree } from '../simulate/source-tree.ts'
import { translateIngresses } from '../translate/translate.ts'
import { createObjectCompleter } from './complete-objects.ts'
import { checkConfigFacts } from './config-facts.ts'
import { fillPlaceholders } from './fill-placeholders.ts'
import { holds } from './fits.ts'
import type { AdmissionSpec, IngressCase, KeyPair, RequestSpec, StepSpec } from './ingress-case.ts'
import { type SimulatedWorld, simulateProbe } from './simulate-probe.ts'

/**
 * Runs what can be run in process; what cannot is skipped with the reason.
 *
 * @param certificates - key pairs by name; without them Secrets hold placeholders, and hosts the default certificate
 * @param routes - whether requests are asked of servers, or of the router and its classes; facts always of servers
 */
export function runIngressCase(
  file: Pick<CaseFile, 'data' | 'suite'>,
  certificates: ReadonlyMap<string, KeyPair> = new Map(),
  routes: 'static' | 'data' = 'static',
): readonly ProbeResult[] {
  const data = fillPlaceholders(file.data as unknown as IngressCase, { certificates })
  if (data.flagErrors !== undefined) return [skip('flagErrors', 'needs the running controller')]
  let objects = completeObjects(data)
  const rendered = renderObjects(objects, data)
  const results: ProbeResult[] = [roundTrip('round trip', rendered)]
  if (data.safety !== undefined) results.push(...hostileAlone(objects, data))
  if (data.config !== undefined) results.push(...configProbes(rendered.text, data.config, file.suite))
  const ask = (requests: readonly RequestSpec[], built: Rendered, prefix: string): ProbeResult[] => {
    const world = { ...askedOf(built, routes), model: built.model, backends: data.backends ?? [] }
    return requests.map((spec, at) =>
      simulateProbe(
        requestName(spec, `${prefix}requests[${at}]`),
        fillPlaceholders(spec, { certificates, n: 0 }),
        world,
      ),
    )
  }
  results.push(...ask(data.requests ?? [], rendered, ''))
  const admissions = Array.isArray(data.admission) ? (data.admission as readonly AdmissionSpec[]) : []
  results.push(...admissions.map((spec, at) => runAdmission(`admission[${at}]`, spec, objects, data)))
  for (const [at, step] of (data.steps ?? []).entries()) {
    objects = changeObjects(objects, step)
    results.push(...ask(step.requests ?? [], renderObjects(objects, data), `steps[${at}].`))
    if (step.reload !== undefined) results.push(skip(`steps[${at}] reload`, 'needs the running controller'))
  }
  const rest = [data.metrics, data.status].some((part) => part !== undefined)
  if (rest) results.push(skip('metrics and status', 'need the running controller'))
  return results
}

function askedOf({ tree, model }: Rendered, routes: 'static' | 'data'): Pick<SimulatedWorld, 'tree' | 'lua'> {
  if (routes === 'static') return { tree: sourceTree(tree) }
  const routed = renderRouted(model)
  return { tree: sourceTree(routed.tree), lua: routedLua(model, lookupIn(routed.table)) }
}

function skip(probe: string, detail: string): ProbeResult {
  return { probe, outcome: 'skipped', detail }
}

function requestName({ method = 'GET', scheme = 'http', host = '', path = '/' }: RequestSpec, prefix: string): string {
  return `${prefix} ${method} ${scheme}://${host}${path.slice(0, 80)}`
}

function hostileAlone(objects: readonly KubeObject[], data: IngressCase): ProbeResult[] {
  return objects
    .filter((one) => one.kind === 'Ingress')
    .map((ingress) => {
      const alone = objects.filter((one) => one.kind !== 'Ingress' || one === ingress)
      const name = `round trip with Ingress ${ingress.metadata?.namespace}/${ingress.metadata?.name} alone`
      return roundTrip(name, renderObjects(alone, data))
    })
}

function configProbes(text: string, config: NonNullable<IngressCase['config']>, suite: string): ProbeResult[] {
  const probes = checkConfigFacts(text, config, suite.startsWith('field')).map(
    ({ fact, complaint }): ProbeResult =>
      complaint === undefined
        ? { probe: `config ${fact}`, outcome: 'passed' }
        : { probe: `config ${fact}`, outcome: 'failed', detail: complaint },
  )
  return config.valid === undefined ? probes : [...probes, skip('config valid', 'needs nginx')]
}

const configMapName = { namespace: 'kubewire-test', name: 'ingress-config' }

function completeObjects(data: IngressCase): readonly KubeObject[] {
  const own = data.configMap === undefined ? [] : [configMapOf(data.configMap)]
  return [...(data.cluster ?? []), ...own].map(createObjectCompleter())
}

function configMapOf(data: { readonly [key: string]: string }): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: configMapName, data } as KubeObject
}

function changeObjects(objects: readonly KubeObject[], step: StepSpec): readonly KubeObject[] {
  const applied = [...(step.apply ?? []), ...(step.configMap === undefined ? [] : [configMapOf(step.configMap)])]
  const isSame = (one: KubeObject, other: KubeObject): boolean => one.kind === other.kind && keyOf(one) === keyOf(other)
  const isDeleted = (object: KubeObject): boolean =>
    (step.delete ?? []).some((gone) =>
      isSame(object, { kind: gone.kind, metadata: { name: gone.name, namespace: gone.namespace ?? '' } } as KubeObject),
    )
  const kept = objects.filter((object) => !isDeleted(object))
  const before = (object: KubeObject): KubeObject | undefined => kept.find((one) => isSame(one, object))
  return [
    ...kept.map((object) => {
      const next = applied.find((one) => isSame(one, object))
      return next === undefined ? object : { ...next, metadata: { ...object.metadata, ...next.metadata } }
    }),
    ...applied.filter((object) => before(object) === undefined).map(createObjectCompleter(objects.length)),
  ]
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

function renderObjects(objects: readonly KubeObject[], data: IngressCase): Rendered {
  const { value } = translateIngresses(snapshotOf(objects), optionsOf(data))
  const tree = renderConfig(value)
  return { text: printConfig(tree), wanted: JSON.stringify(plainTree(tree)), tree, model: value }
}

/** The configuration of some objects with the flags of a case, a server for each host. */
export function ingressCaseText(objects: readonly KubeObject[], data: IngressCase): string {
  return renderObjects(objects, data).text
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

function roundTrip(probe: string, { text, wanted }: Rendered): ProbeResult {
  const { value, problems } = parseConfig(text)
  const found = JSON.stringify(plainTree(value))
  if (problems.length === 0 && found === wanted) return { probe, outcome: 'passed' }
  return { probe, outcome: 'failed', detail: problems[0]?.message ?? 'the parsed tree differs from the printed one' }
}
