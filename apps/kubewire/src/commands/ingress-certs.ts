// `kubewire ingress certs`: which certificate each host shows, and until when it is good: what `kubectl ingress-nginx certs`
// shows, without the key.

import { printRef } from '@kubewire/kube-model'
import type { Model } from '@kubewire/nginx-gen'
import type { Command } from '../command.ts'
import { UsageError } from '../exit-code.ts'
import { printTable } from '../print/print-table.ts'
import { defineModelCommand } from './ingress-model-command.ts'

interface ShownCertificate {
  readonly host: string
  /** Absent: the default certificate, which the controller makes itself when none is configured. */
  readonly secret?: string
  readonly names: readonly string[]
  readonly notAfter?: string
  readonly issuer?: string
}

/** The command. */
export const command: Command = defineModelCommand({
  usage: '[HOST] -f FILE [flags]',
  takesWords: true,
  flags: {},
  text: (model, host) =>
    printTable(
      ['host', 'secret', 'valid until', 'issuer', 'names'],
      certificatesOf(model, host).map((one) => [
        one.host,
        one.secret ?? 'the default one',
        one.notAfter ?? '-',
        one.issuer ?? '-',
        one.names.join(',') || '-',
      ]),
    ),
  none: 'no host has TLS',
  json: certificatesOf,
})

function certificatesOf({ tls }: Model, wanted: string | undefined): readonly ShownCertificate[] {
  const hosts = Object.keys(tls.hosts).filter((host) => wanted === undefined || host === wanted)
  if (wanted !== undefined && hosts.length === 0) {
    const known = Object.keys(tls.hosts).sort().join(', ') || 'none at all'
    throw new UsageError(`expected a host with TLS (${known}), found ${JSON.stringify(wanted)}`)
  }
  return hosts.sort().map((host): ShownCertificate => {
    const id = tls.hosts[host]
    const certificate = tls.certificates.find((one) => one.id === id) ?? tls.defaultCertificate
    if (certificate === undefined) return { host, names: [] }
    const { dnsNames, notAfterMs, issuerCommonName, issuerOrganization } = certificate.facts
    return {
      host,
      secret: printRef(certificate.secret).replace(/^Secret /, ''),
      names: dnsNames,
      notAfter: new Date(notAfterMs).toISOString().slice(0, 10),
      issuer: issuerCommonName || issuerOrganization,
    }
  })
}
