// A server of the model from its draft: settings of a whole host, of which the first Ingress that sets one wins. A server
// whose draft is what it was, and whose Secrets are what they were, is the one of the translation before.

import { compareText, deepEqual, type Problem } from '@kubewire/kube-model'
import type { BackendEndpoint } from '../model/backend.ts'
import { catchAllHost, type Server } from '../model/server.ts'
import type { BackendDraft, ReadContext, ServerDraft } from './drafts.ts'
import { findServicePort } from './endpoints.ts'
import { joinedWishes } from './host-wishes.ts'
import { isSameList } from './once-per-object.ts'
import { orderPaths } from './order-paths.ts'
import { lookupsHold, recordLookups } from './recorded-lookups.ts'
import type { LocationDraft } from './rule-parts.ts'
import { aliasesOf } from './servers.ts'
import { type CertificateStore, certificateOf, createCertificateStore } from './tls.ts'
import type { FinishedServer, RememberedServer, TranslationMemory } from './translation-memory.ts'

/** Finishes all servers, in the order of the file. */
export function finishServers(
  drafts: ReadonlyMap<string, ServerDraft>,
  backends: ReadonlyMap<string, BackendDraft>,
  context: ReadContext,
  memory: TranslationMemory,
  problems: Problem[],
): readonly FinishedServer[] {
  const recorder = recordLookups(context.snapshot)
  const heard = { ...context, snapshot: recorder.snapshot }
  const certificates = createCertificateStore(heard)
  const remembered = new Map<string, RememberedServer>()
  for (const draft of inOrder(drafts, memory)) {
    const before = memory.servers.get(draft.host)
    if (before !== undefined && isUnchanged(before, draft, context)) {
      remembered.set(draft.host, before)
      continue
    }
    const found: Problem[] = []
    recorder.take()
    const finished = finishServer(draft, { drafts, backends, certificates, context: heard }, found)
    const isEqual = before !== undefined && deepEqual(before.value.server, finished.server)
    const value = isEqual ? { ...finished, server: before.value.server } : finished
    remembered.set(draft.host, { value, draft, problems: found, lookups: recorder.take() })
  }
  memory.servers = remembered
  const all = [...remembered.values()]
  for (const one of all) if (one.problems.length > 0) problems.push(...one.problems)
  return all.map(({ value }) => value)
}

/** Drafts in the order of the file, which is that of the translation before while there are the same hosts. */
function inOrder(drafts: ReadonlyMap<string, ServerDraft>, memory: TranslationMemory): readonly ServerDraft[] {
  if (memory.order.length !== drafts.size || !memory.order.every((host) => drafts.has(host))) {
    memory.order = [...drafts.keys()].sort(compareText)
  }
  return memory.order.map((host) => drafts.get(host) as ServerDraft)
}

// Aliases depend on the other hosts, the target of a passthrough on endpoints: those are finished anew each time.
function isUnchanged(before: RememberedServer, draft: ServerDraft, context: ReadContext): boolean {
  for (const one of draft.ingresses) if (one.looksAround) return false
  if (before.draft === draft) return lookupsHold(before.lookups, context.snapshot)
  const { locations, ingresses, redirectsFromWww } = before.draft
  return (
    redirectsFromWww === draft.redirectsFromWww &&
    isSameList(ingresses, draft.ingresses) &&
    locations.length === draft.locations.length &&
    draft.locations.every((location, at) => isSameLocation(locations[at], location)) &&
    lookupsHold(before.lookups, context.snapshot)
  )
}

function isSameLocation(a: LocationDraft | undefined, b: LocationDraft): boolean {
  if (a === undefined || a === b) return a === b
  return locationKeys.every((key) => a[key] === b[key])
}

const locationKeys: readonly (keyof LocationDraft)[] = [
  'path',
  'pathType',
  'backend',
  'serviceName',
  'servicePort',
  'ingress',
  'field',
  'isDefaultBackend',
  'denied',
  'features',
]

/** What a server is finished with. */
interface Surroundings {
  readonly drafts: ReadonlyMap<string, ServerDraft>
  readonly backends: ReadonlyMap<string, BackendDraft>
  readonly certificates: CertificateStore
  readonly context: ReadContext
}

function finishServer(
  draft: ServerDraft,
  { drafts, backends, certificates, context }: Surroundings,
  problems: Problem[],
): FinishedServer {
  const { host, ingresses } = draft
  const wishes = joinedWishes(ingresses)
  const certificate = certificateOf(host, ingresses, certificates, problems)
  const isPassthrough = context.options.sslPassthrough && wishes.wantsPassthrough
  const { locations, usesRegex } = orderPaths(host, draft.locations, problems)
  const server: Server = {
    host,
    aliases: aliasesOf(draft, drafts),
    locations,
    usesRegex,
    certificate: certificate === undefined || typeof certificate === 'string' ? certificate : certificate.id,
    clientAuth: wishes.clientAuth,
    ciphers: wishes.ciphers,
    prefersServerCiphers: wishes.prefersServerCiphers,
    proxyTls: context.settings['proxy-ssl-location-only'] ? undefined : wishes.proxyTls,
    snippet: wishes.snippet,
    passthrough: isPassthrough ? passthroughTarget(draft, backends, context) : undefined,
    redirectsFromWww: draft.redirectsFromWww,
  }
  return { server, certificate: host === catchAllHost ? (certificate ?? 'default') : certificate }
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
