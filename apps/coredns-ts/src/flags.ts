// The flags of CoreDNS as a table, and what they say.

import { type FlagTable, type ParsedFlags, parseFlags } from '@kubewire/daemon-kit'

const table = {
  conf: { kind: 'string', default: '', help: 'Corefile to load (default "Corefile")' },
  'dns.port': { kind: 'string', default: '53', help: 'Default port' },
  p: { kind: 'string', default: '', help: 'Default port' },
  pidfile: { kind: 'string', default: '', help: 'Path to write pid file' },
  plugins: { kind: 'bool', default: false, help: 'List installed plugins' },
  quiet: { kind: 'bool', default: false, help: 'Quiet mode (no initialization output)' },
  version: { kind: 'bool', default: false, help: 'Show version' },
  'udp-backend': {
    kind: 'string',
    default: 'auto',
    help: 'How datagrams are read and written: dgram one at a time, batched many at once (needs koffi), auto the better of both',
  },
  workers: { kind: 'int', default: 1, help: 'Processes that answer; each is a whole server with its own watches' },
  'log-format': { kind: 'string', default: 'text', help: 'Format of log lines: text or json' },
} as const satisfies FlagTable

/** The table, for the usage text. */
export const flagTable: FlagTable = table

/** What the command line says. */
export interface CorednsFlags {
  readonly conf: string
  readonly defaultPort: number
  readonly pidFile: string
  readonly listsPlugins: boolean
  readonly isQuiet: boolean
  readonly isVersion: boolean
  readonly isJsonLog: boolean
  /** Not checked yet. */
  readonly udpBackend: string
  readonly workers: number
}

/** Reads a command line; `parsed` holds problems and further arguments. */
export function readFlags(argv: readonly string[]): { flags: CorednsFlags; parsed: ParsedFlags<FlagTable> } {
  const parsed = parseFlags(table, argv)
  const { values } = parsed
  const flags = {
    conf: values.conf,
    defaultPort: Number(values.p === '' ? values['dns.port'] : values.p),
    pidFile: values.pidfile,
    listsPlugins: values.plugins,
    isQuiet: values.quiet,
    isVersion: values.version,
    isJsonLog: values['log-format'] === 'json',
    udpBackend: values['udp-backend'],
    workers: values.workers,
  }
  return { flags, parsed }
}
