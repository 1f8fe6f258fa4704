// The flags of the `mini-apiserver` command.

/** What the command line asks for. */
export interface CliOptions {
  readonly manifests: readonly string[]
  readonly listen: string
  readonly writeKubeconfig: string | undefined
  readonly isPlainHttp: boolean
  readonly faults: readonly string[]
  /** Whether `POST /__faults` is served. */
  readonly allowsFaults: boolean
  readonly serviceCidrs: readonly string[]
  readonly token: string | undefined
  /** Token → name of users without rights. */
  readonly users: { readonly [token: string]: string }
  readonly runsEndpointSlices: boolean
  readonly hosts: readonly string[]
  readonly help: boolean
}

/** Shown by `--help` and after a wrong flag. */
export const usage: string = `Usage: mini-apiserver [flags]

A small in-memory Kubernetes API server for development and tests.

  --manifests DIR            load and follow every *.yaml, *.yml and *.json below DIR (may be repeated)
  --listen ADDRESS:PORT      default 127.0.0.1:6443; port 0 picks a free one
  --write-kubeconfig FILE    write a kubeconfig for the administrator
  --http                     plain http: a request without a token is the administrator's
  --host NAME                further name or address in the certificate (may be repeated)
  --token TEXT               token of the administrator; random by default
  --user TOKEN=NAME          a user without rights of its own (may be repeated)
  --service-cidr LIST        ranges of Service addresses; default 10.96.0.0/12,fd00:10:96::/112
  --endpoint-slices=false    do not make EndpointSlices from Services and Pods
  --fault RULE               'stall,verb=watch,resource=services,after=5s' (may be repeated)
  --faults                   serve POST /__faults
`

/** Reads the flags: `--name=value`, `--name value`, switches. The error text names the first wrong word. */
export function parseCliFlags(argv: readonly string[]): { readonly options: CliOptions } | { readonly error: string } {
  const values = new Map<string, string[]>()
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? ''
    const match = /^--?([a-z-]+)(?:=(.*))?$/s.exec(word)
    const name = match?.[1] ?? ''
    const isSwitch = switches.has(name)
    if (!match || (!isSwitch && !valued.has(name))) return { error: `unknown flag ${JSON.stringify(word)}` }
    const value = match[2] ?? (isSwitch ? 'true' : argv[++i])
    if (value === undefined) return { error: `flag --${name} needs a value` }
    values.set(name, [...(values.get(name) ?? []), value])
  }
  const last = (name: string) => values.get(name)?.at(-1)
  return {
    options: {
      manifests: values.get('manifests') ?? [],
      listen: last('listen') ?? '127.0.0.1:6443',
      writeKubeconfig: last('write-kubeconfig'),
      isPlainHttp: last('http') === 'true',
      faults: values.get('fault') ?? [],
      allowsFaults: last('faults') === 'true',
      serviceCidrs: (last('service-cidr') ?? '10.96.0.0/12,fd00:10:96::/112').split(','),
      token: last('token'),
      users: Object.fromEntries((values.get('user') ?? []).map(splitPair)),
      runsEndpointSlices: last('endpoint-slices') !== 'false',
      hosts: values.get('host') ?? [],
      help: last('help') === 'true' || last('h') === 'true',
    },
  }
}

function splitPair(text: string): [string, string] {
  const at = text.indexOf('=')
  return at < 0 ? [text, text] : [text.slice(0, at), text.slice(at + 1)]
}

const switches: ReadonlySet<string> = new Set(['http', 'faults', 'endpoint-slices', 'help', 'h'])
const valued: ReadonlySet<string> = new Set([
  'manifests',
  'listen',
  'write-kubeconfig',
  'fault',
  'service-cidr',
  'token',
  'host',
  'user',
])
