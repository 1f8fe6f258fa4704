// A small cluster for tests of this package: one Ingress `shop/front` for tea.example with the annotations of a test,
// and what they become. Not part of the package's entry points.

import { type KubeObject, type Problem, snapshotOf } from '@kubewire/kube-model'
import { endpointSlice, ingress, service } from '@kubewire/kube-model/testing'
import type { ConfigNode, ConfigTree } from '../config/node.ts'
import { printConfig } from '../config/print.ts'
import { renderConfig } from '../render/render.ts'
import type { ControllerOptions } from '../snapshot/controller-options.ts'
import { type Translation, translateIngresses } from '../translate/translate.ts'

/** What a test varies. */
export interface ShopOptions {
  readonly annotations?: { readonly [name: string]: string }
  /** Data of the main ConfigMap. */
  readonly configMap?: { readonly [key: string]: string }
  readonly path?: string
  readonly pathType?: string
  readonly host?: string
  readonly objects?: readonly KubeObject[]
  readonly options?: Partial<ControllerOptions>
}

/** A translated and rendered shop. */
export interface Shop {
  readonly translation: Translation
  readonly problems: readonly Problem[]
  readonly tree: ConfigTree
  readonly text: string
}

/** Translates and renders the shop; annotation names are given without prefix. */
export function shop(test: ShopOptions = {}): Shop {
  const { host = 'tea.example', path = '/', pathType = 'Prefix' } = test
  const annotations = Object.fromEntries(
    Object.entries(test.annotations ?? {}).map(([name, value]) => [`nginx.ingress.kubernetes.io/${name}`, value]),
  )
  const backend = { service: { name: 'tea', port: { number: 80 } } }
  const objects: KubeObject[] = [
    service('shop/tea', { clusterIP: '10.96.0.7' }),
    endpointSlice('shop/tea', ['10.244.1.5']),
    ingress('shop/front', { rules: [{ host, http: { paths: [{ path, pathType, backend }] } }] }, annotations),
    { kind: 'ConfigMap', metadata: { namespace: 'ingress', name: 'main' }, data: test.configMap ?? {} } as KubeObject,
    ...(test.objects ?? []),
  ]
  const translation = translateIngresses(snapshotOf(objects), {
    watchWithoutClass: true,
    configMap: 'ingress/main',
    ...test.options,
  })
  const tree = renderConfig(translation.value)
  return { translation, problems: translation.problems, tree, text: printConfig(tree) }
}

/** Lines of the location `head` of the server `host`, without indentation; nested blocks included. */
export function locationLines(built: Shop, head = 'location /', host = 'tea.example'): readonly string[] {
  return linesOf(blocksIn(serverOf(built, host), 'location').find((block) => headOf(block) === head))
}

/** Lines of the server `host` outside its locations. */
export function serverLines(built: Shop, host = 'tea.example'): readonly string[] {
  const children = serverOf(built, host).filter((node) => !(node.kind === 'block' && node.name === 'location'))
  return linesOf({ kind: 'block', name: 'server', args: [], children })
}

/** First lines of the locations of the server `host`, in order. */
export function locationHeads(built: Shop, host = 'tea.example'): readonly string[] {
  return blocksIn(serverOf(built, host), 'location').map(headOf)
}

type BlockNode = Extract<ConfigNode, { kind: 'block' }>

function serverOf({ tree }: Shop, host: string): ConfigTree {
  const http = blocksIn(tree, 'http')[0]
  const server = blocksIn(http?.children ?? [], 'server').find(({ children }) =>
    linesOf({ kind: 'block', name: 'x', args: [], children }).some((line) => line.split(/[ ;]/)[1] === host),
  )
  return server?.children ?? []
}

function blocksIn(nodes: ConfigTree, name: string): BlockNode[] {
  return nodes.filter((node): node is BlockNode => node.kind === 'block' && node.name === name)
}

function headOf(block: BlockNode): string {
  return printConfig([{ ...block, children: [] }]).split(' {')[0] ?? ''
}

function linesOf(block: BlockNode | undefined): readonly string[] {
  if (block === undefined) return []
  return printConfig(block.children)
    .split('\n')
    .map((line) => line.trim().replace(/;$/, ''))
    .filter((line) => line !== '')
}
