// What ingress-nginx does without being asked, found where it acts: whoever moves away must ask for it or lose it.
// Source: ingress-nginx 1.15 defaults, controller and template; every entry reads the model, not the text of objects.

import type { ObjectRef } from '@kubewire/kube-model'
import { catchAllHost, type Model, type Server } from '@kubewire/nginx-gen'

/** A behaviour that nobody wrote down. */
export interface HiddenBehaviour {
  readonly name: string
  readonly summary: string
  /** How to have it with Gateway API; empty where only policies of implementations can. */
  readonly elsewhere: string
  /** The objects that it acts on. */
  readonly find: (model: Model) => readonly ObjectRef[]
}

/** In the order of the report. */
export const hiddenBehaviours: readonly HiddenBehaviour[] = [
  {
    name: 'expressions-over-host',
    summary:
      'one Ingress with use-regex or rewrite-target makes every path of its host a case-insensitive expression, Exact ones too',
    elsewhere: 'nothing spreads: each HTTPRoute rule matches as it says, with case',
    find: (model) => onServers(model, ({ usesRegex }) => usesRegex),
  },
  {
    name: 'redirect-to-https',
    summary: 'hosts of an Ingress with tls answer plain HTTP with 308',
    elsewhere: 'HTTPRoute on the HTTP listener with a RequestRedirect filter, for each host',
    find: (model) => (model.settings['ssl-redirect'] ? onServers(model, ({ host }) => hasTls(model, host)) : []),
  },
  {
    name: 'strict-transport-security',
    summary: 'responses over HTTPS tell browsers to use HTTPS for a year, subdomains included',
    elsewhere: 'HTTPRoute: ResponseHeaderModifier filter with Strict-Transport-Security',
    find: (model) => (model.settings.hsts ? onServers(model, ({ host }) => hasTls(model, host)) : []),
  },
  {
    name: 'default-certificate',
    summary: 'hosts whose Secret cannot be used show the default certificate instead of an error',
    elsewhere: 'a listener without a usable certificate is not programmed at all',
    find: (model) => onServers(model, ({ host }) => host !== catchAllHost && model.tls.hosts[host] === 'default'),
  },
  {
    name: 'hosts-shared-by-namespaces',
    summary: 'several namespaces add paths to one host; the first to name a path has it',
    elsewhere: 'Gateway: allowedRoutes says which namespaces may attach; conflicts go to the oldest route',
    find: (model) =>
      onServers(model, (server) => new Set(ingressesOf(server).map(({ namespace }) => namespace)).size > 1),
  },
  {
    name: 'body-limit',
    summary: 'request bodies over 1 MB are refused with 413 where proxy-body-size says nothing else',
    elsewhere: '',
    find: (model) => (model.settings['proxy-body-size'] === '1m' ? onServers(model, () => true) : []),
  },
  {
    name: 'retries',
    summary:
      'requests that one pod fails or does not answer in time are sent to another until three have been tried; not POST',
    elsewhere: 'HTTPRoute: retry (experimental); most implementations do not retry by themselves',
    find: (model) => onServers(model, () => true),
  },
  {
    name: 'pods-without-kube-proxy',
    summary:
      'nginx balances over endpoints itself: sessionAffinity and traffic policies of the Service have no effect, unless service-upstream is set',
    elsewhere: 'the same with most implementations',
    find: (model) => model.backends.map(({ service }) => service).filter((ref) => ref !== undefined),
  },
]

function hasTls(model: Model, host: string): boolean {
  return host !== catchAllHost && Object.hasOwn(model.tls.hosts, host)
}

function onServers({ servers }: Model, holds: (server: Server) => boolean): ObjectRef[] {
  return servers.filter(holds).flatMap(ingressesOf)
}

function ingressesOf({ locations }: Server): ObjectRef[] {
  return locations.map(({ route }) => route.ingress).filter((ref) => ref !== undefined)
}
