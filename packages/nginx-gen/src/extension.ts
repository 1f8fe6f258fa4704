// What an administrator may add where the original lets users edit its template: annotation families of their own, and
// a last look at the configuration tree. An extension is a function of the kit, so that its file imports nothing.

import type { Family } from './annotations/define.ts'
import { at, defineAnnotation, defineFamily, featureOf, inHttp, inServer, requestHeader } from './annotations/define.ts'
import { families } from './annotations/registry.ts'
import {
  cidrList,
  flag,
  integer,
  integerFrom,
  listOf,
  nginxTime,
  objectName,
  oneOf,
  regexText,
  serverName,
  size,
  textOf,
  url,
} from './annotations/values.ts'
import {
  block,
  type ConfigTree,
  comment,
  directive,
  interpolated,
  list,
  literal,
  raw,
  regex,
  word,
} from './config/node.ts'
import type { Model } from './model/model.ts'

/** What an extension adds. */
export interface Extension {
  /** Families of annotations under the controller's prefix; they come after ours. */
  readonly families?: readonly Family<unknown>[]
  /** Changes the whole tree before it is printed; must be pure. */
  readonly transform?: (tree: ConfigTree, model: Model) => ConfigTree
}

/** What an extension is made with. */
export interface ExtensionKit {
  readonly defineAnnotation: typeof defineAnnotation
  readonly defineFamily: typeof defineFamily
  readonly featureOf: typeof featureOf
  readonly at: typeof at
  readonly inServer: typeof inServer
  readonly inHttp: typeof inHttp
  readonly requestHeader: typeof requestHeader
  readonly block: typeof block
  readonly comment: typeof comment
  readonly directive: typeof directive
  readonly interpolated: typeof interpolated
  readonly list: typeof list
  readonly literal: typeof literal
  readonly raw: typeof raw
  readonly regex: typeof regex
  readonly word: typeof word
  /** Parsers of annotation values. */
  readonly values: {
    readonly cidrList: typeof cidrList
    readonly flag: typeof flag
    readonly integer: typeof integer
    readonly integerFrom: typeof integerFrom
    readonly listOf: typeof listOf
    readonly nginxTime: typeof nginxTime
    readonly objectName: typeof objectName
    readonly oneOf: typeof oneOf
    readonly regexText: typeof regexText
    readonly serverName: typeof serverName
    readonly size: typeof size
    readonly textOf: typeof textOf
    readonly url: typeof url
  }
}

/** The kit. */
export const extensionKit: ExtensionKit = {
  defineAnnotation,
  defineFamily,
  featureOf,
  at,
  inServer,
  inHttp,
  requestHeader,
  block,
  comment,
  directive,
  interpolated,
  list,
  literal,
  raw,
  regex,
  word,
  values: {
    cidrList,
    flag,
    integer,
    integerFrom,
    listOf,
    nginxTime,
    objectName,
    oneOf,
    regexText,
    serverName,
    size,
    textOf,
    url,
  },
}

/**
 * The extension that the default export of a module makes.
 *
 * @param made - the default export: a function of the kit
 * @throws Error that says what is wrong with it
 */
export function createExtension(made: unknown): Extension {
  if (typeof made !== 'function') throw new Error('expected a function of the kit as the default export')
  const extension: unknown = made(extensionKit)
  if (typeof extension !== 'object' || extension === null) throw new Error('expected an object from the default export')
  const { families: own = [], transform } = extension as { readonly families?: unknown; readonly transform?: unknown }
  if (!Array.isArray(own)) throw new Error('expected a list of families')
  if (transform !== undefined && typeof transform !== 'function') throw new Error('expected a function as transform')
  const taken = new Set(families.flatMap((family) => [family.name, ...namesOf(family)]))
  for (const family of own as readonly Family<unknown>[]) {
    if (typeof family?.name !== 'string' || !Array.isArray(family.annotations) || typeof family.resolve !== 'function')
      throw new Error('expected families with name, annotations and resolve')
    for (const name of [family.name, ...namesOf(family)]) {
      if (taken.has(name)) throw new Error(`the family or annotation ${name} exists already`)
    }
    for (const name of [family.name, ...namesOf(family)]) taken.add(name)
  }
  return extension as Extension
}

function namesOf(family: Family<unknown>): readonly string[] {
  return family.annotations.flatMap(({ names }) => names.filter((name) => name !== family.name))
}
