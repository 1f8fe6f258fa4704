// Snapshot → model: joins the parts, one concern per file. Deterministic; never throws for what users write.

import { type ClusterSnapshot, compareText, deepEqual, type ObjectRef, type Problem } from '@kubewire/kube-model'
import { featureOf } from '../annotations/define.ts'
import { defaultExtendedOptions, type ExtendedOptions } from '../annotations/extended-options.ts'
import { snippets } from '../annotations/snippets.ts'
import type { Backend } from '../model/backend.ts'
import type { Model } from '../model/model.ts'
import { catchAllHost, type WwwRedirect } from '../model/server.ts'
import type { Certificate, ConfigFile, TlsModel } from '../model/tls.ts'
import { parseSettings } from '../settings/parse.ts'
import { selectIngresses } from '../snapshot/select.ts'
import { collectBackends, finishBackend, isClean, isSameBackend } from './backends.ts'
import { attachCanaries } from './canary.ts'
import { attachDefaultBackends } from './default-backend.ts'
import type { BackendDraft, ReadContext, ReadIngress, ServerDraft } from './drafts.ts'
import { finishServers } from './finish-server.ts'
import { globalFeatures } from './global.ts'
import { createIngressReader } from './read-ingress.ts'
import { lookupsHold } from './recorded-lookups.ts'
import { buildServers } from './servers.ts'
import { readSources } from './sources.ts'
import { streamServices } from './stream.ts'
import { type CertificateStore, createCertificateStore, tlsModel } from './tls.ts'
import { emptyMemory, type FinishedServer, type TranslationMemory } from './translation-memory.ts'

/** What a translation gives. */
export interface Translation {
  readonly value: Model
  readonly problems: readonly Problem[]
  /** Ingresses of ours that are served, oldest first. */
  readonly accepted: readonly ObjectRef[]
  /** Ingresses of ours that are set aside for what they hold; a daemon may serve their last good version. */
  readonly refused: readonly ObjectRef[]
}

/** Translates one snapshot after the other; what did not change is not looked at again. */
export interface Translator {
  translate(snapshot: ClusterSnapshot): Translation
}

/**
 * Translates the Ingresses of a cluster into the model that configuration and data plane are made of.
 *
 * One bad Ingress or annotation never affects others: it is refused, denied (503) or ignored, as its definition says.
 *
 * @param snapshot - the cluster; the main ConfigMap is the one that `options.configMap` names
 * @param options - flags; the original's defaults for what is absent
 * @returns the model, with every problem met (`NGX_*`)
 * @see ingress-nginx 1.15 internal/ingress/controller
 * @example
 * const { value: model, problems } = translateIngresses(snapshotOf(objects), { watchWithoutClass: true })
 * console.log(printConfig(renderConfig(model)))
 */
export function translateIngresses(snapshot: ClusterSnapshot, options: Partial<ExtendedOptions> = {}): Translation {
  return createTranslator(options).translate(snapshot)
}

/**
 * Creates a translator for a stream of snapshots. It says of each snapshot what `translateIngresses` says, and parts of
 * the model that are equal to those of the one before are the same objects.
 *
 * Objects count as unchanged while they are the same object, as in the stores of the informer.
 */
export function createTranslator(options: Partial<ExtendedOptions> = {}): Translator {
  const complete = { ...defaultExtendedOptions, ...options }
  let data: unknown
  let settings: ReturnType<typeof parseSettings> | undefined
  let memory = emptyMemory()
  return {
    translate: (snapshot) => {
      const [namespace = '', name = ''] = (complete.configMap ?? '').split('/')
      const wanted = name === '' ? undefined : snapshot.configMaps.get(name, namespace)?.data
      const isHeld = settings !== undefined && deepEqual(data, wanted)
      if (!isHeld || settings === undefined)
        settings = parseSettings(wanted, { kind: 'ConfigMap', namespace, name }, complete.modules)
      if (!isHeld || !lookupsHold(memory.common?.lookups ?? [], snapshot)) memory = emptyMemory()
      data = wanted
      return translateSnapshot({ snapshot, options: complete, settings: settings.value }, settings.problems, memory)
    },
  }
}

function translateSnapshot(
  context: ReadContext,
  settingProblems: readonly Problem[],
  memory: TranslationMemory,
): Translation {
  const { snapshot, options } = context
  const problems: Problem[] = [...settingProblems]
  const selected = selectIngresses(snapshot, options)
  const reader = createIngressReader(context, memory)
  const read = selected.value.map(reader)
  problems.push(...selected.problems, ...joined(read, (one) => one.problems))
  const accepted = read.some((one) => one.isRefused) ? read.filter((one) => !one.isRefused) : read

  const sources = readSources(snapshot, memory.sources)
  const { slicesOf } = sources
  const collected = collectBackends(accepted, context, sources, problems, memory)
  memory.sources = sources
  const backends = collected.drafts
  const builtIn = reader(undefined)
  const drafts = buildServers(accepted, collected, builtIn, memory, problems)
  attachCanaries(accepted, backends, drafts, problems)
  attachDefaultBackends(accepted, drafts, backends, context, slicesOf)

  const servers = finishServers(drafts, backends, context, memory, problems)
  const redirects = wwwRedirects(drafts, servers)
  const fallback = defaultCertificate(context, createCertificateStore(context), problems)
  const tls = tlsModel(servers, redirects, fallback, memory)
  const { global, files } = globalFeatures(context, problems)
  return {
    value: {
      options,
      settings: context.settings,
      global,
      defaults: builtIn.features,
      plain: reader({}).features,
      servers: servers.map(({ server }) => server),
      wwwRedirects: redirects.map(({ redirect }) => redirect),
      backends: finishBackends(backends, memory),
      tls,
      stream: streamServices(context, slicesOf, problems),
      streamSnippets: accepted.flatMap((one) => featureOf(one.features, snippets).stream ?? []),
      files: uniqueFiles([...files, ...certificateFiles(tls, context), ...joined(accepted, (one) => one.files)]),
    },
    problems,
    accepted: accepted.map((one) => one.ref),
    refused: [...inspectedAway(selected.problems), ...read.filter((one) => one.isRefused).map((one) => one.ref)],
  }
}

/** What all of them have, most of them nothing. */
function joined<T>(read: readonly ReadIngress[], of: (one: ReadIngress) => readonly T[]): T[] {
  const all: T[] = []
  for (const one of read) {
    const own = of(one)
    if (own.length > 0) all.push(...own)
  }
  return all
}

/** Ingresses that deep inspection refused; a forbidden catch-all is removed, whatever it was before. */
function inspectedAway(problems: readonly Problem[]): readonly ObjectRef[] {
  return problems.filter(({ path }) => path !== 'spec.defaultBackend').map(({ object }) => object)
}

function wwwRedirects(
  drafts: ReadonlyMap<string, ServerDraft>,
  servers: readonly FinishedServer[],
): { readonly redirect: WwwRedirect; readonly certificate: Certificate | string | undefined }[] {
  return servers
    .filter(({ server }) => server.redirectsFromWww && server.host !== catchAllHost && !server.host.startsWith('*'))
    .map(({ server, certificate }) => {
      const from = server.host.startsWith('www.') ? server.host.slice(4) : `www.${server.host}`
      return { redirect: { from, to: server.host, certificate: server.certificate }, certificate }
    })
    .filter(({ redirect }) => !drafts.has(redirect.from))
}

function finishBackends(drafts: ReadonlyMap<string, BackendDraft>, memory: TranslationMemory): readonly Backend[] {
  const { backends: before, built } = memory
  const isSameOrder = before.size === drafts.size && hasAll(drafts, before.keys())
  const finished: Backend[] = []
  const byName = new Map<string, Backend>()
  for (const name of isSameOrder ? before.keys() : [...drafts.keys()].sort(compareText)) {
    const draft = drafts.get(name) as BackendDraft
    const known = before.get(name)
    const isKept = known !== undefined && ((draft === built.get(name) && isClean(draft)) || isSameBackend(known, draft))
    const backend = isKept ? known : finishBackend(draft)
    finished.push(backend)
    byName.set(name, backend)
  }
  memory.built = drafts
  memory.backends = byName
  return finished
}

function hasAll(drafts: ReadonlyMap<string, BackendDraft>, names: Iterable<string>): boolean {
  for (const name of names) if (!drafts.has(name)) return false
  return true
}

function defaultCertificate(
  { options }: ReadContext,
  store: CertificateStore,
  problems: Problem[],
): Certificate | undefined {
  const [namespace = '', name = ''] = (options.defaultCertificate ?? '').split('/')
  if (name === '') return undefined
  const found = store.read(namespace, name)
  if (typeof found !== 'string') return found
  problems.push({
    code: 'NGX_CERTIFICATE',
    severity: 'warning',
    object: { kind: 'Secret', namespace, name },
    path: '',
    message: `the default certificate cannot be used: ${found}`,
    fallback: 'a self-signed certificate is served',
  })
  return undefined
}

/** Without Lua certificates are read from disk. */
function certificateFiles({ certificates }: TlsModel, { options }: ReadContext): readonly ConfigFile[] {
  if (options.balancing === 'dynamic') return []
  return certificates.map(({ id, certificate, key }) => {
    const content = `${certificate.trimEnd()}\n${key.trimEnd()}\n`
    return { name: `pair-${id}.pem`, content, isSecret: true }
  })
}

function uniqueFiles(files: readonly ConfigFile[]): readonly ConfigFile[] {
  const byName = new Map(files.map((file) => [file.name, file]))
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}
