// Every command, in the order of `kubewire --help`. Each is loaded when it is called: help and completion load none.

import type { Command } from '../command.ts'

/** What is known of a command without loading it. */
export interface CommandEntry {
  /** `dns render`. */
  readonly name: string
  readonly summary: string
  /** One line that works in a clone of the repository. */
  readonly example: string
  readonly load: () => Promise<{ readonly command: Command }>
}

/** The list. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'dns render',
    summary: 'print every record that the cluster zone holds',
    example: 'kubewire dns render -f examples/shop',
    load: () => import('./dns-render.ts'),
  },
  {
    name: 'dns explain',
    summary: 'ask for one name and see who answers, and why',
    example: 'kubewire dns explain tea.shop.svc.cluster.local A -f examples/shop',
    load: () => import('./dns-explain.ts'),
  },
  {
    name: 'dns diff',
    summary: 'show which names get other answers',
    example: 'kubewire dns diff examples/shop my-copy-of-shop',
    load: () => import('./dns-diff.ts'),
  },
  {
    name: 'proxy render',
    summary: 'print the iptables-restore input that kube-proxy would apply',
    example: 'kubewire proxy render -f examples/shop --node node-1',
    load: () => import('./proxy-render.ts'),
  },
  {
    name: 'proxy explain',
    summary: 'send one packet through the rules and see where it goes',
    example: 'kubewire proxy explain --from 192.0.2.99 --to service/shop/tea -f examples/shop --node node-1',
    load: () => import('./proxy-explain.ts'),
  },
  {
    name: 'proxy diff',
    summary: 'show which packets go elsewhere, and which policies change',
    example: 'kubewire proxy diff examples/shop my-copy-of-shop',
    load: () => import('./proxy-diff.ts'),
  },
  {
    name: 'ingress render',
    summary: 'print the routes and settings that the Ingresses mean, or with --static a whole nginx.conf',
    example: 'kubewire ingress render -f examples/shop',
    load: () => import('./ingress-render.ts'),
  },
  {
    name: 'ingress explain',
    summary: 'send one request through the configuration and see who serves it',
    example: 'kubewire ingress explain GET https://shop.example.org/coffee -f examples/shop',
    load: () => import('./ingress-explain.ts'),
  },
  {
    name: 'ingress diff',
    summary: 'show which requests are served by others or with other settings',
    example: 'kubewire ingress diff examples/shop my-copy-of-shop',
    load: () => import('./ingress-diff.ts'),
  },
  {
    name: 'ingress list',
    summary: 'list every path of every host, and who serves it',
    example: 'kubewire ingress list -f examples/shop',
    load: () => import('./ingress-list.ts'),
  },
  {
    name: 'ingress backends',
    summary: 'list the backends with their endpoints, balancing and canaries',
    example: 'kubewire ingress backends -f examples/shop',
    load: () => import('./ingress-backends.ts'),
  },
  {
    name: 'ingress certs',
    summary: 'list which certificate each host shows, and until when it is good',
    example: 'kubewire ingress certs -f examples/shop',
    load: () => import('./ingress-certs.ts'),
  },
  {
    name: 'lint',
    summary: 'say what in the objects will surprise somebody',
    example: 'kubewire lint -f examples/shop',
    load: () => import('./lint.ts'),
  },
  {
    name: 'audit',
    summary: 'list what is used of ingress-nginx, and what becomes of it here and in Gateway API',
    example: 'kubewire audit -f examples/shop',
    load: () => import('./audit.ts'),
  },
  {
    name: 'test',
    summary: 'run scenarios of names, packets and requests, and judge the answers',
    example: 'kubewire test examples/ci/scenarios',
    load: () => import('./test.ts'),
  },
  {
    name: 'up',
    summary: 'run a demo cluster on manifests, in network namespaces of its own',
    example: 'kubewire up -f examples/shop',
    load: () => import('./up.ts'),
  },
  {
    name: 'ui',
    summary: 'show the cluster in a local page, and light up the path of a name, a connection or a URL',
    example: 'kubewire ui -f examples/shop',
    load: () => import('./ui.ts'),
  },
]
