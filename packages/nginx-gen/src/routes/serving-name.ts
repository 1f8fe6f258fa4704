// `$server_name` where hosts are data: the router's server has another name than the host it serves, so texts that name
// the variable read the host's instead.

import { block, type ConfigNode, type ConfigTree, directive } from '../config/node.ts'
import { replaceTexts } from './settings-class.ts'

/** The tree with `$serving_name` in place of `$server_name`. */
export function withServingName(tree: ConfigTree): ConfigTree {
  return tree.map(withServingNameIn)
}

/** The map that makes it, for `http`; added after the replacement. */
export const servingName: ConfigNode = block(
  'map',
  ['$route_host', '$serving_name'],
  [directive('default', '$route_host'), directive('', '$server_name')],
)

function withServingNameIn(node: ConfigNode): ConfigNode {
  switch (node.kind) {
    case 'raw':
      return serverName.test(node.text) ? { ...node, text: renamed(node.text) } : node
    case 'directive':
      return replaceTexts(node, (arg) =>
        arg.kind !== 'literal' && serverName.test(arg.text) ? { ...arg, text: renamed(arg.text) } : arg,
      )
    case 'block': {
      const children = node.children.map(withServingNameIn)
      return children.every((child, at) => child === node.children[at]) ? node : { ...node, children }
    }
    default:
      return node
  }
}

const serverName = /\$\{?server_name\b/

function renamed(text: string): string {
  return text.replaceAll(/\$(\{?)server_name\b/g, '$$$1serving_name')
}
