// `kubewire ingress list`: every path of every host, with who serves it: what `kubectl ingress-nginx ingresses` shows.

import { printRef } from '@kubewire/kube-model'
import type { Location, Model } from '@kubewire/nginx-gen'
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
  const endpoints = new Map(model.backends.map((backend) => [backend.name, backend.endpoints.length]))
  const rows = model.servers
    .filter(({ host }) => wanted === undefined || host === wanted)
    .flatMap(({ host, locations, usesRegex }) =>
      writtenOnce(locations).flatMap(({ route, isDefaultBackend }): Row[] =>
        route.ingress === undefined || isDefaultBackend
          ? []
          : [
              {
                host,
                path: route.rulePath,
                match: usesRegex ? 'regex' : route.pathType.toLowerCase(),
                tls: tlsOf(model, host),
                backend: `${route.ingress.namespace}/${route.serviceName}:${route.servicePort}`,
                endpoints: endpoints.get(route.backend) ?? 0,
                ingress: printRef(route.ingress).replace(/^Ingress /, ''),
              },
            ],
      ),
    )
  if (rows.length > 0 || wanted === undefined) return rows
  const hosts = [...new Set(rowsOf(model, undefined).map(({ host }) => host))]
  throw new UsageError(`expected one of ${hosts.join(', ')}, found ${JSON.stringify(wanted)}`)
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
