// Plugins that only set something for the block or the listener: bind, tls, root, debug, timeouts, cancel and others.

import { parseGoDuration, printGoDuration } from '@kubewire/kube-model'
import type { Directive } from '../corefile/directive.ts'
import { type ConfigureInput, definePlugin, type PluginDefinition } from '../plugin.ts'
import { pathAtRoot } from './zone-arguments.ts'

/** Settings of the bind plugin: addresses or interface names. */
export interface BindConfig {
  readonly addresses: readonly string[]
  readonly except: readonly string[]
}

/** Settings of the tls plugin: files. */
export interface TlsConfig {
  readonly cert: string
  readonly key: string
  readonly ca?: string
  /** Which certificates clients must show (Go crypto/tls, ClientAuthType); absent: none. */
  readonly clientAuth?: ClientAuth
}

/** Asked for; any; one that `ca` signed, where there is one; one that `ca` signed. */
export type ClientAuth = 'request' | 'require' | 'verify_if_given' | 'require_and_verify'

/** Settings of the timeouts plugin, milliseconds. */
export interface TimeoutsConfig {
  readonly readMs?: number
  readonly writeMs?: number
  readonly idleMs?: number
}

const clientAuths: readonly ClientAuth[] = ['request', 'require', 'verify_if_given', 'require_and_verify']

const many = Number.POSITIVE_INFINITY

export const bind: PluginDefinition<BindConfig> = definePlugin({
  name: 'bind',
  summary: 'Addresses or interfaces to listen on.',
  syntax: 'ADDRESS|INTERFACE...',
  args: { min: 0, max: many },
  properties: { except: { min: 0, max: many, syntax: 'ADDRESS|INTERFACE...', summary: 'Left out.' } },
  checksItself: true,
  configure: (input) =>
    checkedBind(input, {
      addresses: input.directives.flatMap((directive) => directive.args.map((arg) => arg.text)),
      except: input.directives.flatMap((directive) =>
        (directive.block ?? []).flatMap((line) => line.args.map((a) => a.text)),
      ),
    }),
  create: () => ({ isTransparent: true }),
})

function checkedBind(input: ConfigureInput, config: BindConfig): BindConfig {
  for (const { args, block = [] } of input.directives) {
    if (args.length === 0) input.failPlain('at least one address or interface name is expected')
    for (const line of block) {
      if (line.name.text !== 'except') input.failPlain(`invalid option ${JSON.stringify(line.name.text)}`)
      else if (line.args.length === 0) {
        input.failPlain('at least one address or interface must be given to except subdirective')
      }
    }
  }
  return config
}

export const tls: PluginDefinition<TlsConfig> = definePlugin({
  name: 'tls',
  unknownProperty: "unknown option '%'",
  summary: 'Certificate for tls:// and https:// blocks.',
  syntax: 'CERT KEY [CA]',
  args: { min: 2, max: 3 },
  properties: { client_auth: { min: 1, max: 1, syntax: 'MODE', summary: 'Whether clients need certificates.' } },
  isOnce: true,
  configure(input) {
    const mode = input.directives[0]?.block?.find((line) => line.name.text === 'client_auth')
    const word = mode?.args[0]
    const clientAuth = clientAuths.find((one) => one === word?.text)
    if (word !== undefined && word.text !== 'nocert' && clientAuth === undefined) {
      input.fail(`unknown authentication type '${word.text}'`, word)
    }
    const [cert = '', key = '', ca] = input.directives[0]?.args.map((arg) => atRoot(input, arg.text)) ?? []
    return { cert, key, ...(ca === undefined ? {} : { ca }), ...(clientAuth === undefined ? {} : { clientAuth }) }
  },
  create: () => ({ isTransparent: true }),
})

export const root: PluginDefinition<{ readonly path: string }> = definePlugin({
  name: 'root',
  summary: 'Directory that relative file names start in.',
  syntax: 'PATH',
  args: { min: 1, max: 1 },
  properties: {},
  takesNoBlock: true,
  configure: (input) => ({ path: input.directives[0]?.args[0]?.text ?? '.' }),
  create: () => ({ isTransparent: true }),
})

export const debug: PluginDefinition<null> = definePlugin({
  name: 'debug',
  summary: 'Debug logging; exceptions are not caught.',
  syntax: '',
  args: { min: 0, max: 0 },
  properties: {},
  takesNoBlock: true,
  configure: () => null,
  create: () => ({ isTransparent: true }),
})

export const timeouts: PluginDefinition<TimeoutsConfig> = definePlugin({
  name: 'timeouts',
  unknownProperty: "unknown option: '%'",
  summary: 'Limits of TCP and TLS connections.',
  syntax: '',
  args: { min: 0, max: 0 },
  properties: {
    read: { min: 1, max: 1, syntax: 'DURATION', summary: 'Time for one query, default 3s.' },
    write: { min: 1, max: 1, syntax: 'DURATION', summary: 'Time for one reply, default 5s.' },
    idle: { min: 1, max: 1, syntax: 'DURATION', summary: 'Time without queries, default 10s.' },
  },
  configure(input) {
    const lines = input.directives.flatMap(({ block = [] }) => block)
    const [directive] = input.directives
    if (lines.length === 0 && directive !== undefined) {
      input.fail('timeouts block with no timeouts specified', directive.end)
    }
    const value = (name: string): number | undefined =>
      timeoutOf(
        input,
        lines.find((line) => line.name.text === name),
      )
    const [readMs, writeMs, idleMs] = [value('read'), value('write'), value('idle')]
    return {
      ...(readMs === undefined ? {} : { readMs }),
      ...(writeMs === undefined ? {} : { writeMs }),
      ...(idleMs === undefined ? {} : { idleMs }),
    }
  },
  create: () => ({ isTransparent: true }),
})

function timeoutOf(input: ConfigureInput, line: Directive | undefined): number | undefined {
  const text = line?.args[0]?.text
  if (line === undefined || text === undefined) return undefined
  // A number without a unit counts seconds here (CoreDNS plugin/pkg/durations).
  const ms = parseGoDuration(/^[0-9]+$/.test(text) ? `${text}s` : text)
  if (ms === undefined) input.fail(`failed to parse duration '${text}'`, line.end)
  else if (ms < 1000 || ms > 24 * 3_600_000) {
    input.fail(`timeout provided '${printGoDuration(ms)}' needs to be between 1 second and 24 hours`, line.end)
  }
  return ms
}

function atRoot(input: ConfigureInput, path: string): string {
  return pathAtRoot(input.block.root, path)
}
