// Snapshot → model: joins the parts, one concern per file. Deterministic; never throws for what users write.

import { type ClusterSnapshot, type ObjectRef, type Problem, refOf } from '@kubewire/kube-model'
import { clientCertificates } from '../annotations/client-certificates.ts'
import { featureOf } from '../annotations/define.ts'
import { proxyTls } from '../annotations/proxy-tls.ts'
import { serverWishes } from '../annotations/server.ts'
import { snippets } from '../annotations/snippets.ts'
import type { Backend, BackendEndpoint } from '../model/backend.ts'
import type { Model } from '../model/model.ts'
import { catchAllHost, type Server, type WwwRedirect } from '../model/server.ts'
import type { Certificate, ConfigFile, TlsModel } from '../model/tls.ts'
import { parseSettings } from '../settings/parse.ts'
import { type ControllerOptions, defaultControllerOptions } from '../snapshot/controller-options.ts'
import { selectIngresses } from '../snapshot/select.ts'
import { type BackendDraft, collectBackends } from './backends.ts'
import { attachCanaries } from './canary.ts'
import { attachDefaultBackends } from './default-backend.ts'
import { findServicePort, indexSlices } from './endpoints.ts'
import { globalFeatures } from './global.ts'
import { orderPaths } from './order-paths.ts'
import { createIngressReader, type ReadContext, type ReadIngress } from './read-ingress.ts'
import { aliasesOf, buildServers, type ServerDraft } from './servers.ts'
import { streamServices } from './stream.ts'
import { type CertificateStore, certificateOf, createCertificateStore, tlsModel } from './tls.ts'

/** What a translation gives. */
export interface Translation {
  readonly value: Model
  readonly problems: readonly Problem[]
  /** Ingresses of ours that are served, oldest first. */
  readonly accepted: readonly ObjectRef[]
  /** Ingresses of ours that are set aside for what they hold; a daemon may serve their last good version. */
  readonly refused: readonly ObjectRef[]
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
export function translateIngresses(snapshot: ClusterSnapshot, options: Partial<ControllerOptions> = {}): Translation {
  const problems: Problem[] = []
  const context = readContext(snapshot, { ...defaultControllerOptions, ...options }, problems)
  const selected = selectIngresses(snapshot, context.options)
  const reader = createIngressReader(context)
  const read = selected.value.map(reader)
  problems.push(...selected.problems, ...read.flatMap((one) => one.problems))
  const accepted = read.filter((one) => !one.isRefused)

  const slicesOf = indexSlices(snapshot)
  const backends = collectBackends(accepted, context, slicesOf, problems)
  const builtIn = reader(undefined)
  const drafts = buildServers(accepted, backends, builtIn, problems)
  attachCanaries(accepted, backends, drafts, problems)
  attachDefaultBackends(drafts, backends, context, slicesOf)

  const store = createCertificateStore(context)
  const servers = sortedServers(drafts).map((draft) => finishServer(draft, drafts, backends, context, store, problems))
  const redirects = wwwRedirects(drafts, servers)
  const tls = tlsModel(servers, redirects, defaultCertificate(context, store, problems))
  const { global, files } = globalFeatures(context, problems)
  return {
    value: {
      options: context.options,
      settings: context.settings,
      global,
      defaults: builtIn.features,
      servers: servers.map(({ server }) => server),
      wwwRedirects: redirects.map(({ redirect }) => redirect),
      backends: finishBackends(backends),
      tls,
      stream: streamServices(context, slicesOf, problems),
      streamSnippets: accepted.flatMap((one) => featureOf(one.features, snippets).stream ?? []),
      files: uniqueFiles([...files, ...certificateFiles(tls, context), ...accepted.flatMap((one) => one.files)]),
    },
    problems,
    accepted: accepted.map((one) => refOf(one.ingress, 'Ingress')),
    refused: [
      ...inspectedAway(selected.problems),
      ...read.filter((one) => one.isRefused).map((one) => refOf(one.ingress, 'Ingress')),
    ],
  }
}

/** Ingresses that deep inspection refused; a forbidden catch-all is removed, whatever it was before. */
function inspectedAway(problems: readonly Problem[]): readonly ObjectRef[] {
  return problems.filter(({ path }) => path !== 'spec.defaultBackend').map(({ object }) => object)
}

function readContext(snapshot: ClusterSnapshot, options: ControllerOptions, problems: Problem[]): ReadContext {
  const [namespace = '', name = ''] = (options.configMap ?? '').split('/')
  const configMap = name === '' ? undefined : snapshot.configMaps.get(name, namespace)
  const settings = parseSettings(configMap?.data, { kind: 'ConfigMap', namespace, name })
  problems.push(...settings.problems)
  return { snapshot, options, settings: settings.value }
}

function sortedServers(drafts: ReadonlyMap<string, ServerDraft>): ServerDraft[] {
  return [...drafts.values()].sort((a, b) => (a.host < b.host ? -1 : 1))
}

interface FinishedServer {
  readonly server: Server
  readonly certificate: Certificate | string | undefined
}

/** Settings of a whole host: the first Ingress that sets one wins. */
function finishServer(
  draft: ServerDraft,
  drafts: ReadonlyMap<string, ServerDraft>,
  backends: ReadonlyMap<string, BackendDraft>,
  context: ReadContext,
  store: CertificateStore,
  problems: Problem[],
): FinishedServer {
  const { host, ingresses } = draft
  const wishes = ingresses.map((one) => featureOf(one.features, serverWishes))
  const certificate = certificateOf(host, ingresses, store, problems)
  const isPassthrough = context.options.sslPassthrough && wishes.some((wish) => wish.passthrough)
  const server: Server = {
    host,
    aliases: aliasesOf(draft, drafts),
    ...orderPaths(host, draft.locations, problems),
    certificate: certificate === undefined || typeof certificate === 'string' ? certificate : certificate.id,
    clientAuth: clientAuthOf(ingresses),
    ciphers: firstOf(wishes, (wish) => wish.ciphers),
    prefersServerCiphers: firstOf(wishes, (wish) => wish.prefersServerCiphers),
    proxyTls: context.settings['proxy-ssl-location-only']
      ? undefined
      : firstOf(ingresses, (one) => {
          const value = featureOf(one.features, proxyTls)
          return value?.caFile === undefined ? undefined : value
        }),
    snippet: firstOf(ingresses, (one) => featureOf(one.features, snippets).server),
    passthrough: isPassthrough ? passthroughTarget(draft, backends, context) : undefined,
    redirectsFromWww: draft.redirectsFromWww,
  }
  return { server, certificate: host === catchAllHost ? (certificate ?? 'default') : certificate }
}

/** The first Ingress with an authority counts; one whose Secret cannot be used closes the whole host. */
function clientAuthOf(ingresses: readonly ReadIngress[]): Server['clientAuth'] {
  const wishes = ingresses.map((one) => featureOf(one.features, clientCertificates)).filter((one) => one !== undefined)
  return wishes.find((one) => one.kind === 'denied') ?? wishes[0]
}

/** The cluster IP behind the `/` of a host, so that kube-proxy balances; an endpoint where the Service has none. */
function passthroughTarget(
  draft: ServerDraft,
  backends: ReadonlyMap<string, BackendDraft>,
  { snapshot }: ReadContext,
): BackendEndpoint | undefined {
  const root = draft.locations.find(({ path, isDefaultBackend }) => path === '/' && !isDefaultBackend)
  const backend = backends.get(root?.backend ?? '')
  if (backend?.service === undefined) return undefined
  const service = snapshot.services.get(backend.service.name, backend.service.namespace)
  const address = service?.spec?.clusterIP
  const port = service === undefined ? undefined : findServicePort(service, backend.port)?.port
  const hasAddress = address !== undefined && address !== '' && address !== 'None' && port !== undefined
  return hasAddress ? { address, port } : backend.endpoints[0]
}

function firstOf<T, R>(items: readonly T[], read: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const value = read(item)
    if (value !== undefined) return value
  }
  return undefined
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

function finishBackends(drafts: ReadonlyMap<string, BackendDraft>): readonly Backend[] {
  return [...drafts.values()]
    .map(({ isOrdinary: _, affinityMode, affinity, ...backend }) => ({
      ...backend,
      affinity: affinity === undefined ? undefined : { ...affinity, mode: affinityMode ?? 'balanced' },
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
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
