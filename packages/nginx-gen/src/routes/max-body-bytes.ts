// The largest request body that directives admit. nginx looks at it when it has found the location, which is the
// router's: there is none for the class, so the router compares. Source: ngx_http_core_module, client_max_body_size.

import type { ConfigNode } from '../config/node.ts'
import { type PlainNode, plainTree } from '../config/plain.ts'

const nginxDefaultBytes = 1024 * 1024

/** Bytes that the last `client_max_body_size` among these nodes admits; 0 for any size. */
export function maxBodyBytes(nodes: readonly ConfigNode[]): number {
  const sizes = nodes.filter(mayHoldSize).flatMap((node) => plainTree([node]).filter(isSize))
  const text = sizes.at(-1)?.args[0]
  return text === undefined ? nginxDefaultBytes : parseBytes(text)
}

function mayHoldSize(node: ConfigNode): boolean {
  if (node.kind === 'raw') return node.text.includes('client_max_body_size')
  return node.kind === 'directive' && node.name === 'client_max_body_size'
}

function isSize({ name }: PlainNode): boolean {
  return name === 'client_max_body_size'
}

function parseBytes(text: string): number {
  const [, digits = '0', unit = ''] = /^(\d+)([kmg]?)$/i.exec(text) ?? []
  return Number(digits) * (unitBytes[unit.toLowerCase()] ?? 1)
}

const unitBytes: { readonly [unit: string]: number } = { k: 1024, m: 1024 ** 2, g: 1024 ** 3 }
