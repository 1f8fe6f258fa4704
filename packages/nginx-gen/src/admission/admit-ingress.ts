// Whether an Ingress may be written, as the admission webhook answers it. Checks in the original's order, first refusal
// wins. Nothing is run: nginx never sees what nobody has accepted yet (CVE-2025-1974).
// Source: ingress-nginx 1.15 internal/ingress/controller/controller.go, CheckIngress; reference: admission webhook.

import {
  type ClusterSnapshot,
  type Ingress,
  keyOf,
  type ObjectCollection,
  type ObjectRef,
  objectKey,
  type Problem,
  quoteFound,
  refOf,
} from '@kubewire/kube-model'
import { defaultExtendedOptions, type ExtendedOptions } from '../annotations/extended-options.ts'
import { checkConfig } from '../config/check.ts'
import { printConfig } from '../config/print.ts'
import type { Model } from '../model/model.ts'
import { catchAllHost } from '../model/server.ts'
import { renderConfig } from '../render/render.ts'
import { parseSettings } from '../settings/parse.ts'
import type { Settings } from '../settings/registry.ts'
import type { ControllerOptions } from '../snapshot/controller-options.ts'
import { inspect, ownClass, selectIngresses, watchedNamespace } from '../snapshot/select.ts'
import { translateIngresses } from '../translate/translate.ts'
import { expressionWarnings } from './expression-warnings.ts'

/** The answer to one object. */
export interface Admission {
  readonly isAllowed: boolean
  /** Why not; empty when it is allowed. */
  readonly message: string
  /** What the user should know although it is allowed. */
  readonly warnings: readonly string[]
  /** Size of the configuration that was checked; 0 where a check before it decided. */
  readonly configBytes: number
}

/**
 * Answers whether `ingress` may be created or replace the one of its name.
 *
 * @param snapshot - the cluster as it is, with or without an earlier version of the object
 */
export function admitIngress(
  snapshot: ClusterSnapshot,
  ingress: Ingress,
  given: Partial<ExtendedOptions> = {},
): Admission {
  const options = { ...defaultExtendedOptions, ...given }
  if (ingress.metadata?.deletionTimestamp !== undefined) return allowed([])
  const finding = inspect(ingress, options)
  if (finding !== undefined) return refused(`${finding.path}: ${finding.message}`)
  const isWatched = watchedNamespace(snapshot, options)(ingress.metadata?.namespace ?? 'default')
  if (!isWatched || !ownClass(snapshot, options)(ingress)) return allowed([])
  const settings = settingsOf(snapshot, options)
  for (const check of ownChecks) {
    const message = check({ ingress, options, settings })
    if (message !== undefined) return refused(message)
  }
  // COMPAT: checked as the youngest, whatever its age (CheckIngress adds it at the end).
  const candidate = withIngress(snapshot, {
    ...ingress,
    metadata: { ...ingress.metadata, creationTimestamp: youngest },
  })
  const { value: model, problems, refused: setAside } = translateIngresses(candidate, options)
  const own = problems.filter(({ object }) => isRefTo(object, ingress))
  const fault = own.find((problem) => problem.severity === 'error' && problem.code !== 'NGX_ANNOTATION_REFERENCE')
  // COMPAT: what only denies, a list that does not parse for one, is let in: its locations answer 503 (Extract).
  const isSetAside = setAside.some((object) => isRefTo(object, ingress))
  if (isSetAside && fault !== undefined) return refused(messageOf(fault))
  const overlap = findOverlap(model, candidate, ingress, options)
  if (overlap !== undefined) return refused(overlap)
  const tree = renderConfig(model)
  const configBytes = printConfig(tree).length
  const broken = checkConfig(tree).find(({ object }) => isRefTo(object, ingress))
  if (broken !== undefined) return { ...refused(messageOf(broken)), configBytes }
  const oddPath = settings['strict-validate-path-type'] ? undefined : wrongPath(ingress)
  const warnings = [
    ...own.map(messageOf),
    ...(oddPath === undefined ? [] : [oddPath]),
    ...expressionWarnings(model, ingress),
  ]
  return { ...allowed(warnings), configBytes }
}

const youngest = '9999-12-31T23:59:59Z'

interface Checked {
  readonly ingress: Ingress
  readonly options: ControllerOptions
  readonly settings: Settings
}

const standardPrefix = 'nginx.ingress.kubernetes.io'

// What can be said about the object alone, in order.
const ownChecks: readonly ((checked: Checked) => string | undefined)[] = [
  ({ ingress, options }) =>
    options.disableCatchAll && ingress.spec?.defaultBackend !== undefined
      ? 'This deployment is trying to create a catch-all ingress while DisableCatchAll flag is set to true. Remove spec.defaultBackend'
      : undefined,
  ({ ingress }) =>
    /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(ingress.metadata?.uid ?? '')
      ? undefined
      : `expected a UUID in metadata.uid, got ${quoteFound(ingress.metadata?.uid ?? '')}: invalid uid`,
  ({ ingress, settings }) => (settings['strict-validate-path-type'] ? wrongPath(ingress) : undefined),
  ({ ingress, options }) => {
    if (options.annotationsPrefix === standardPrefix) return undefined
    const name = annotationNames(ingress).find((one) => one.startsWith(`${standardPrefix}/`))
    return name && `this deployment has a custom annotation prefix defined but the ingress uses ${quoteFound(name)}`
  },
  ({ ingress, settings }) => {
    if (settings['allow-snippet-annotations']) return undefined
    const name = annotationNames(ingress).find((one) => one.endsWith('-snippet'))
    return name && `${name} annotation cannot be used. Snippet directives are disabled by the Ingress administrator`
  },
]

function wrongPath(ingress: Ingress): string | undefined {
  for (const rule of ingress.spec?.rules ?? []) {
    for (const { path = '/', pathType } of rule.http?.paths ?? []) {
      const isStrict = pathType === 'Exact' || pathType === 'Prefix'
      if (isStrict && !/^\/[A-Za-z0-9._\-/]*$/.test(path)) {
        return `ingress contains invalid paths: path ${quoteFound(path)} cannot be used with pathType ${pathType}`
      }
    }
  }
  return undefined
}

/**
 * A host and path of this Ingress that another one serves. Asked of the finished locations, so a Prefix path has one with
 * a closing slash and one without, and gives the latter to an Exact rule. COMPAT: whoever writes `canary: "false"` is let
 * through (controller.go checkOverlap).
 */
function findOverlap(
  model: Model,
  candidate: ClusterSnapshot,
  ingress: Ingress,
  options: ControllerOptions,
): string | undefined {
  const wish = canaryWish(ingress, options)
  if (wish === 'no') return undefined
  const servedBy = wish === 'yes' ? canariesAt(candidate, ingress, options) : ownersIn(model)
  for (const { host, path } of pathsOf(ingress)) {
    const others = servedBy.get(placeOf(host, path)) ?? []
    const other = others.find(
      (one) =>
        objectKey(one.namespace, one.name) !== keyOf(ingress) &&
        (wish === 'yes' || canaryWish(candidate.ingresses.get(one.name, one.namespace), options) === 'absent'),
    )
    if (other !== undefined)
      return `host "${host}" and path "${path}" is already defined in ingress ${objectKey(other.namespace, other.name)}`
  }
  return undefined
}

type Owners = ReadonlyMap<string, readonly ObjectRef[]>

function ownersIn(model: Model): Owners {
  const owners = new Map<string, ObjectRef[]>()
  for (const { host, locations } of model.servers) {
    for (const { route, isDefaultBackend } of locations) {
      if (isDefaultBackend || route.ingress === undefined) continue
      // The block without the slash stands for both: somebody else's rule may have taken the place of the other.
      const isSplit = route.match === 'exact' && route.pathType === 'Prefix' && route.path !== '/'
      for (const path of isSplit ? [route.path, `${route.path}/`] : [route.path]) {
        const place = placeOf(host, path)
        owners.set(place, [...(owners.get(place) ?? []), route.ingress])
      }
    }
  }
  return owners
}

/** A second canary of a path is none: only the first is ever used. */
function canariesAt(candidate: ClusterSnapshot, ingress: Ingress, options: ControllerOptions): Owners {
  const owners = new Map<string, ObjectRef[]>()
  for (const other of selectIngresses(candidate, options).value) {
    if (keyOf(other) === keyOf(ingress) || canaryWish(other, options) !== 'yes') continue
    for (const { host, path } of pathsOf(other)) owners.set(placeOf(host, path), [refOf(other, 'Ingress')])
  }
  return owners
}

function pathsOf(ingress: Ingress): readonly { readonly host: string; readonly path: string }[] {
  return (ingress.spec?.rules ?? []).flatMap(({ host, http }) =>
    (http?.paths ?? []).flatMap(({ path, backend }) =>
      backend?.service === undefined ? [] : [{ host: host || catchAllHost, path: path || '/' }],
    ),
  )
}

function placeOf(host: string, path: string): string {
  return `${host}\n${path}`
}

function canaryWish(ingress: Ingress | undefined, options: ControllerOptions): 'absent' | 'yes' | 'no' {
  const value = ingress?.metadata?.annotations?.[`${options.annotationsPrefix}/canary`]
  if (value === undefined) return 'absent'
  return ['1', 't', 'T', 'true', 'TRUE', 'True'].includes(value) ? 'yes' : 'no'
}

function annotationNames(ingress: Ingress): readonly string[] {
  return Object.keys(ingress.metadata?.annotations ?? {})
}

function settingsOf(snapshot: ClusterSnapshot, options: ControllerOptions): Settings {
  const [namespace = '', name = ''] = (options.configMap ?? '').split('/')
  const data = name === '' ? undefined : snapshot.configMaps.get(name, namespace)?.data
  return parseSettings(data, { kind: 'ConfigMap', namespace, name }).value
}

function withIngress(snapshot: ClusterSnapshot, ingress: Ingress): ClusterSnapshot {
  const key = keyOf(ingress)
  const others = [...snapshot.ingresses].filter((one) => keyOf(one) !== key)
  const all = new Map([...others, ingress].map((one) => [keyOf(one), one] as const))
  const ingresses: ObjectCollection<Ingress> = {
    size: all.size,
    get: (name, namespace) => all.get(objectKey(namespace, name)),
    [Symbol.iterator]: () => all.values(),
  }
  return { ...snapshot, ingresses }
}

function isRefTo(object: Problem['object'], ingress: Ingress): boolean {
  return object.kind === 'Ingress' && objectKey(object.namespace, object.name) === keyOf(ingress)
}

function messageOf({ path, message }: Problem): string {
  return path === '' ? message : `${path}: ${message}`
}

function allowed(warnings: readonly string[]): Admission {
  return { isAllowed: true, message: '', warnings, configBytes: 0 }
}

function refused(message: string): Admission {
  return { isAllowed: false, message, warnings: [], configBytes: 0 }
}
