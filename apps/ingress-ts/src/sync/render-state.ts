// Snapshot → wanted state of nginx. Serves the last good version of an Ingress whose new one is refused, and leaves out
// what is in quarantine. Pure but for its memory of good versions.

import {
  type ClusterSnapshot,
  deepEqual,
  type Ingress,
  keyOf,
  type ObjectKey,
  type ObjectRef,
  objectKey,
  type Problem,
} from '@kubewire/kube-model'
import {
  backendTexts,
  type ConfigPaths,
  type ConfigTree,
  type ControllerOptions,
  createRenderer,
  createRoutedRenderer,
  createTranslator,
  dynamicData,
  type Extension,
  type Model,
  type NginxState,
  printConfig,
  type ResolveName,
  type RoutedConfig,
  refreshEndpoints,
} from '@kubewire/nginx-gen'
import type { NamedFile } from '../nginx/nginx-files.ts'
import { collectionOf } from './collection-of.ts'

/** A wanted state with what led to it. */
export interface WantedState extends NginxState {
  readonly problems: readonly Problem[]
  /** Ingresses that the state is made of, in the version that was used; those served before first. */
  readonly served: ReadonlyMap<ObjectKey, Ingress>
  /** Every file the text names; contents decide the names. */
  readonly files: readonly NamedFile[]
}

/** What becomes of an Ingress. Without a last good version, `previous` means `drop`. */
export type IngressFate = 'serve' | 'previous' | 'drop'

/** Makes wanted states. */
export interface StateRenderer {
  /** The state of a snapshot; `fateOf` says which Ingresses are served in their last good version, or not at all. */
  render(snapshot: ClusterSnapshot, fateOf: (ingress: Ingress) => IngressFate): WantedState
  /** Tells which classes of settings nginx has, so that those no route enters stay for a while. */
  keepClasses(names: readonly string[]): void
  /** The state with the endpoints of these Services as they are now; `undefined` where only `render` can tell. */
  refresh(state: WantedState, snapshot: ClusterSnapshot, services: ReadonlySet<ObjectKey>): WantedState | undefined
  /** Remembers the Ingresses of a state that nginx accepted as their last good versions. */
  accept(state: WantedState): void
  /** Whether there is a last good version of an Ingress. */
  hasGood(key: ObjectKey): boolean
  /** Uses an extension from the next rendering on. */
  extend(extension: NamedExtension | undefined): void
  /** Goes back to the last extension that nginx accepted; `undefined` when the one in use is that, else the one given up. */
  giveUpExtension(): NamedExtension | undefined
}

/** An extension and the file it is from. */
export interface NamedExtension extends Extension {
  readonly file: string
}

/** What a renderer needs. */
export interface StateRendererOptions {
  readonly options: Partial<ControllerOptions>
  readonly paths: Partial<ConfigPaths>
  /** Whether hosts are data for the router, or servers of the text. */
  readonly routes: 'data' | 'static'
  readonly filesDir: string
  /** PEM of certificate and key that is served where no other is configured; nothing is rendered from it. */
  readonly fallbackCertificate: string | Promise<string>
  /** Addresses of external names. */
  readonly resolve: ResolveName
}

/** Creates a renderer. */
export function createStateRenderer(parts: StateRendererOptions): StateRenderer {
  const { options, resolve } = parts
  let translator = createTranslator(options)
  const renderer = createRenderer()
  const routedRenderer = createRoutedRenderer()
  let heldClasses: readonly string[] = []
  let extension: NamedExtension | undefined
  let goodExtension: NamedExtension | undefined
  const extend = (next: NamedExtension | undefined): void => {
    if (next === extension) return
    extension = next
    translator = createTranslator({ ...options, extraFamilies: next?.families ?? [] })
  }
  let good: ReadonlyMap<ObjectKey, Ingress> = new Map()
  return {
    render: (snapshot, fateOf) => {
      const kept = withFates(snapshot, fateOf, good)
      const first = translator.translate(kept)
      const refused = first.refused.map((ref) => objectKey(ref.namespace, ref.name)).filter((key) => good.has(key))
      // A refused update keeps the previous version in force (reference, watched objects).
      const used = refused.length === 0 ? kept : substituted(kept, new Set(refused), good)
      const { value: model, accepted } = used === kept ? first : translator.translate(used)
      const certificate = defaultCertificateFile(model, parts.fallbackCertificate)
      const paths = {
        ...parts.paths,
        filesDir: parts.filesDir,
        defaultCertificate: `${parts.filesDir}/${certificate.name}`,
      }
      // An extension that changes the whole tree expects a server for each host in it.
      const isRouted = parts.routes === 'data' && extension?.transform === undefined
      const { table, ...form } = isRouted
        ? routedForm(routedRenderer.render(model, paths, heldClasses))
        : staticForm(printTransformed(renderer.render(model, paths), extension, model))
      return {
        ...form,
        model,
        files: [...model.files, certificate],
        data: dynamicData(model, resolve, table),
        problems: first.problems,
        served: servedOf(used, accepted, good),
      }
    },
    refresh: (state, snapshot, services) => {
      const model = refreshEndpoints(state.model, snapshot, services)
      if (model === undefined) return undefined
      const changed = model.backends.filter((backend, at) => backend !== state.model.backends[at])
      const backends = { ...state.data.backends, ...backendTexts(changed, resolve) }
      return { ...state, model, data: { ...state.data, backends } }
    },
    accept: (state) => {
      good = state.served
      goodExtension = extension
    },
    hasGood: (key) => good.has(key),
    keepClasses: (names) => {
      heldClasses = names
    },
    extend,
    giveUpExtension: () => {
      const given = extension === goodExtension ? undefined : extension
      extend(goodExtension)
      return given
    },
  }
}

/** The part of a state that depends on the form of the configuration. */
type StateForm = Pick<NginxState, 'text' | 'frame' | 'classes' | 'rendered' | 'routed'> & {
  readonly table: RoutedConfig['table']
}

function routedForm({ tree, frame, classes, rendered, table, hosts }: RoutedConfig): StateForm {
  const routed = new Set(hosts.filter(({ kind }) => kind === 'routed').map(({ host }) => host))
  return { text: printConfig(tree), frame, classes, rendered, routed, table }
}

function staticForm(text: string): StateForm {
  return { text, frame: text, classes: [], rendered: [], routed: new Set(), table: {} }
}

function printTransformed(tree: ConfigTree, extension: Extension | undefined, model: Model): string {
  return printConfig(extension?.transform?.(tree, model) ?? tree)
}

// Content addressed like the others: another default certificate is another text, hence a reload.
function defaultCertificateFile(model: Model, fallback: string | Promise<string>): NamedFile {
  const { defaultCertificate } = model.tls
  if (defaultCertificate === undefined) return { name: 'default-own.pem', content: fallback, isSecret: true }
  const { id, certificate, key } = defaultCertificate
  return { name: `default-${id}.pem`, content: `${certificate.trim()}\n${key.trim()}\n`, isSecret: true }
}

function servedOf(
  snapshot: ClusterSnapshot,
  accepted: readonly ObjectRef[],
  good: ReadonlyMap<ObjectKey, Ingress>,
): ReadonlyMap<ObjectKey, Ingress> {
  const served = new Map<ObjectKey, Ingress>()
  const fresh = new Map<ObjectKey, Ingress>()
  for (const { namespace, name } of accepted) {
    const ingress = snapshot.ingresses.get(name, namespace)
    if (ingress === undefined) continue
    const key = objectKey(namespace, name)
    if (good.get(key) === ingress) served.set(key, ingress)
    else fresh.set(key, ingress)
  }
  for (const [key, ingress] of fresh) served.set(key, ingress)
  return served
}

/** Whether two versions of an Ingress are the same to us: status and bookkeeping do not count. */
export function isSameIngress(a: Ingress, b: Ingress): boolean {
  return deepEqual(a.spec, b.spec) && deepEqual(a.metadata?.annotations, b.metadata?.annotations)
}

function withFates(
  snapshot: ClusterSnapshot,
  fateOf: (ingress: Ingress) => IngressFate,
  good: ReadonlyMap<ObjectKey, Ingress>,
): ClusterSnapshot {
  let isChanged = false
  const kept: Ingress[] = []
  for (const ingress of snapshot.ingresses) {
    const fate = fateOf(ingress)
    const version = fate === 'serve' ? ingress : fate === 'previous' ? good.get(keyOf(ingress)) : undefined
    if (version !== undefined) kept.push(version)
    if (version !== ingress) isChanged = true
  }
  return isChanged ? { ...snapshot, ingresses: collectionOf(kept) } : snapshot
}

function substituted(
  snapshot: ClusterSnapshot,
  wanted: ReadonlySet<ObjectKey>,
  good: ReadonlyMap<ObjectKey, Ingress>,
): ClusterSnapshot {
  const ingresses = [...snapshot.ingresses].map((ingress) => {
    const key = keyOf(ingress)
    return wanted.has(key) ? (good.get(key) ?? ingress) : ingress
  })
  return { ...snapshot, ingresses: collectionOf(ingresses) }
}
