// Who may import what: the one direction of imports, as data. docs/ARCHITECTURE.md shows the same table in words and
// `check-imports.ts` holds the sources against it.

/** What the sources of one package may import. Its own files and what `everywhere` allows come on top. */
export interface ImportRule {
  /** Our packages, by name without scope. */
  readonly ours: readonly string[]
  /** Third-party packages. */
  readonly thirdParty: readonly string[]
  /** `node:*` modules: everywhere, nowhere, or only below these paths. */
  readonly node: boolean | readonly string[]
  /** Third-party packages allowed only below a path of the package. */
  readonly only?: readonly { readonly module: string; readonly below: readonly string[] }[]
  /** Third-party packages that must be loaded by `await import()`: heavy, optional, or both. */
  readonly lazy?: readonly string[]
  /** Pure code: no clock, randomness, timers, console or process. */
  readonly isPure?: boolean
}

/** The table, lowest layer first. */
export const importTable: Readonly<Record<string, ImportRule>> = {
  'packages/kube-model': {
    ours: [],
    thirdParty: ['ip-address'],
    only: [{ module: 'yaml', below: ['src/manifest.ts'] }],
    node: false,
    isPure: true,
  },
  'packages/dns-core': {
    ours: ['kube-model'],
    thirdParty: ['dns-packet'],
    only: [{ module: 'vitest', below: ['src/testing/'] }],
    node: false,
    isPure: true,
  },
  'packages/iptables-gen': {
    ours: ['kube-model'],
    thirdParty: ['ip-address'],
    only: [{ module: 'vitest', below: ['src/testing/'] }],
    node: false,
    isPure: true,
  },
  'packages/nginx-gen': {
    ours: ['kube-model'],
    thirdParty: [],
    only: [{ module: 'vitest', below: ['src/testing/'] }],
    node: false,
    isPure: true,
  },
  'packages/informer': {
    ours: ['kube-model'],
    thirdParty: ['rxjs'],
    only: [{ module: '@kubernetes/client-node', below: ['src/client-node/'] }],
    node: ['src/client-node/', 'src/in-cluster/'],
  },
  'packages/daemon-kit': {
    ours: ['kube-model', 'informer'],
    thirdParty: ['rxjs', 'prom-client'],
    only: [{ module: '@kubernetes/client-node', below: ['src/cluster.ts'] }],
    node: true,
  },
  'packages/mini-apiserver': {
    ours: ['kube-model'],
    thirdParty: ['protobufjs', 'selfsigned'],
    lazy: ['selfsigned'],
    node: true,
  },
  'apps/coredns-ts': {
    ours: ['kube-model', 'dns-core', 'informer', 'daemon-kit'],
    thirdParty: ['rxjs', 'koffi'],
    lazy: ['koffi'],
    node: true,
  },
  'apps/kube-proxy-ts': {
    ours: ['kube-model', 'iptables-gen', 'informer', 'daemon-kit'],
    thirdParty: ['rxjs', 'yaml'],
    node: true,
  },
  'apps/ingress-ts': {
    ours: ['kube-model', 'nginx-gen', 'informer', 'daemon-kit'],
    thirdParty: ['rxjs'],
    node: true,
  },
  'apps/kubewire': {
    ours: ['kube-model', 'dns-core', 'iptables-gen', 'nginx-gen', 'informer', 'daemon-kit', 'mini-apiserver'],
    thirdParty: ['rxjs', 'yaml', 'selfsigned'],
    lazy: ['selfsigned'],
    node: true,
  },
}

/** What tests beside the code (`*.test.ts`) may import besides: `node:*` too. */
export const testsMayImport: readonly string[] = ['vitest', 'fast-check', 'rxjs', 'yaml']
