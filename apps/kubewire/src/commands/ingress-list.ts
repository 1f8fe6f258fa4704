// `kubewire ingress list`: every path of every host, with who serves it: what `kubectl ingress-nginx ingresses` shows.

import { printRef } from '@kubewire/kube-model'
import { type Backend, defaultBackendName, type Location, type Model, type Server } from '@kubewire/nginx-gen'
import type { Command } from '../command.ts'
import { UsageError } from '../exit-code.ts'
import { printTable } from '../print/print-table.ts'
import { defineModelCommand } from './ingress-model-command.ts'

interface Row {
  readonly ingress: string
  readonly host: string
  readonly path: string
  readonly match: string
  readonly tls: string
  readonly backend: string
  readonly endpoints: number
}

/** The command. */
export const command: Command = defineModelCommand({
  usage: '[HOST] -f FILE [flags]',
  takesWords: true,
  flags: {},
  text: (model, host) =>
    printTable(
      ['host', 'path', 'match', 'tls', 'backend', 'endpoints', 'ingress'],
      rowsOf(model, host).map((row) => [
        row.host,
        row.path,
        row.match,
        row.tls,
        row.backend,
        String(row.endpoints),
        row.ingress,
      ]),
    ),
  none: 'no Ingress is ours',
  json: rowsOf,
})

function rowsOf(model: Model, wanted: string | undefined): readonly Row[] {
  const rows = [...model.servers.flatMap((server) => rowsOfServer(model, server)), ...redirectRows(model)]
  const chosen = wanted === undefined ? rows : rows.filter(({ host }) => host === wanted)
  if (chosen.length > 0 || wanted === undefined) return chosen
  const hosts = [...new Set(rows.map(({ host }) => host))]
  throw new UsageError(`expected one of ${hosts.join(', ')}, found ${JSON.stringify(wanted)}`)
}

function rowsOfServer(model: Model, { host, aliases, locations, usesRegex }: Server): readonly Row[] {
  const rows = writtenOnce(locations).flatMap(({ route, isDefaultBackend }): Row[] => {
    const backend = model.backends.find(({ name }) => name === route.backend)
    // The 404 of the controller is nobody's path; a default backend of the Ingress is.
    if (route.ingress === undefined || (isDefaultBackend && route.backend === defaultBackendName)) return []
    const row = { host, path: route.rulePath, tls: tlsOf(model, host) }
    const match = isDefaultBackend ? 'default' : usesRegex ? 'regex' : route.pathType.toLowerCase()
    const ingress = printRef(route.ingress).replace(/^Ingress /, '')
    const name = `${route.ingress.namespace}/${route.serviceName}:${route.servicePort}`
    const main = { ...row, match, backend: name, endpoints: backend?.endpoints.length ?? 0, ingress }
    return [main, ...canaryRows(model, backend, row)]
  })
  // An alias is the same server by another name.
  const [first] = rows
  const same = { path: '-', backend: '-', endpoints: 0, ingress: first?.ingress ?? '-' }
  return [...rows, ...aliases.map((alias) => ({ ...same, host: alias, match: `as ${host}`, tls: tlsOf(model, alias) }))]
}

function canaryRows(
  { backends }: Model,
  main: Backend | undefined,
  row: Pick<Row, 'host' | 'path' | 'tls'>,
): readonly Row[] {
  const found = backends.find(({ name }) => name === main?.alternatives[0])
  if (found?.canary === undefined || found.service === undefined) return []
  const { header, cookie, weight, weightTotal } = found.canary
  const by = [header, cookie].filter((one) => one !== undefined).join(', ')
  const share = weight > 0 || by === '' ? `${Math.round((100 * weight) / weightTotal)}%` : ''
  const backend = `${found.service.namespace}/${found.service.name}:${found.port}`
  const match = ['canary', share, by].filter((part) => part !== '').join(' ')
  return [{ ...row, match, backend, endpoints: found.endpoints.length, ingress: '-' }]
}

function redirectRows(model: Model): readonly Row[] {
  return model.wwwRedirects.map(({ from, to }) => ({
    host: from,
    path: '-',
    match: `redirects to ${to}`,
    tls: tlsOf(model, from),
    backend: '-',
    endpoints: 0,
    ingress: '-',
  }))
}

/** A prefix is two locations; people wrote one path. An exact path of the same text is another. */
function writtenOnce(locations: readonly Location[]): readonly Location[] {
  const written = new Map(
    locations.map((location) => [`${location.route.pathType} ${location.route.rulePath}`, location]),
  )
  return [...written.values()]
}

function tlsOf({ tls }: Model, host: string): string {
  const id = Object.hasOwn(tls.hosts, host) ? tls.hosts[host] : undefined
  const certificate = tls.certificates.find((one) => one.id === id)
  if (id === undefined) return '-'
  return certificate === undefined ? 'default' : certificate.secret.name
}
