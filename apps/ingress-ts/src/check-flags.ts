// What contradicts what on the command line. Source: ingress-nginx 1.15.1 pkg/flags/flags.go, ParseFlags.

import type { FlagValues } from '@kubewire/daemon-kit'
import { parseSelector } from '@kubewire/kube-model'
import type { IngressFlagTable } from './flags.ts'

/** The parsed flags. */
export type Flags = FlagValues<IngressFlagTable>

/** Contradictions that stop the start, in the original's words. */
export function checkFlags(flags: Flags): readonly string[] {
  const errors: string[] = []
  if (flags['publish-service'] !== '' && flags['publish-status-address'] !== '') {
    errors.push('flags --publish-service and --publish-status-address are mutually exclusive')
  }
  if (flags['watch-namespace'] !== '' && flags['watch-namespace-selector'] !== '') {
    errors.push('flags --watch-namespace and --watch-namespace-selector are mutually exclusive')
  }
  if (flags['metrics-per-undefined-host'] && !flags['metrics-per-host']) {
    errors.push('--metrics-per-undefined-host=true must be passed with --metrics-per-host=true')
  }
  if (flags['watch-namespace-selector'] !== '' && parseSelector(flags['watch-namespace-selector']) === undefined) {
    errors.push(`failed to parse --watch-namespace-selector=${flags['watch-namespace-selector']}`)
  }
  if (!['data', 'static'].includes(flags.routes)) errors.push(`expected --routes=data or static, got ${flags.routes}`)
  for (const edition of maxmindEditions(flags)) {
    if (!knownEditions.includes(edition)) errors.push(`unknown Maxmind GeoIP2 edition name: '${edition}'`)
  }
  for (const name of portFlags) {
    const port = flags[name]
    if (port < 1 || port > 65_535) errors.push(`expected a port number in --${name}, got ${port}`)
  }
  return errors
}

/** Databases that `--maxmind-edition-ids` names. */
export function maxmindEditions(flags: Flags): readonly string[] {
  const text = flags['maxmind-edition-ids']
  return text === '' ? [] : text.split(',')
}

// Source: internal/nginx/maxmind.go, ValidateGeoLite2DBEditions.
const knownEditions: readonly string[] = [
  ...['Anonymous-IP', 'Country', 'City', 'Connection-Type', 'Domain', 'ISP', 'ASN'].map((name) => `GeoIP2-${name}`),
  ...['ASN', 'Country', 'City'].map((name) => `GeoLite2-${name}`),
]

const portFlags = [
  'http-port',
  'https-port',
  'healthz-port',
  'default-server-port',
  'ssl-passthrough-proxy-port',
] as const
