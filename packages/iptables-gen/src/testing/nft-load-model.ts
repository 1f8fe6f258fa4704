// What `nft -f` does to one table, on lines instead of a kernel: enough to check that a text would be accepted and what it
// leaves behind. Knows nothing of kube-proxy. For tests.

/** A chain: its hook and its rules as they were written; a set or map: its definition and elements by key. */
export interface NftLoadModel {
  readonly chains: Map<string, { readonly hook: string; readonly rules: readonly string[] }>
  readonly containers: Map<string, { readonly head: string; readonly elements: Map<string, string> }>
}

/** A kernel without the table. */
export function emptyNftLoadModel(): NftLoadModel {
  return { chains: new Map(), containers: new Map() }
}

/** Carries out one transaction; throws, with nothing promised about the model, where the kernel would refuse it. */
export function applyNftLoad(model: NftLoadModel, text: string): void {
  for (const line of text.split('\n')) if (line !== '') applyLine(model, line)
  for (const [name, { rules }] of model.chains)
    for (const rule of rules) for (const to of namesIn(rule)) requireName(model, to, `chain ${name}`)
  for (const [name, { elements }] of model.containers)
    for (const element of elements.values()) for (const to of namesIn(element)) requireName(model, to, `map ${name}`)
}

/** The model in words, to be compared. */
export function printNftLoadModel({ chains, containers }: NftLoadModel): string {
  const lines = [
    ...[...chains].map(([name, { hook, rules }]) => `chain ${name} ${hook}\n${rules.join('\n')}`),
    ...[...containers].map(
      ([name, { head, elements }]) => `${name} ${head}\n${[...elements.values()].sort().join('\n')}`,
    ),
  ]
  return lines.sort().join('\n')
}

function applyLine(model: NftLoadModel, line: string): void {
  const [, verb = '', kind = '', rest = ''] = /^(add|delete|flush) (\w+) ip6? kube-proxy ?(.*)$/.exec(line) ?? []
  const [, name = '', body = ''] = /^(\S+) ?(.*)$/.exec(rest) ?? []
  const words = `${verb} ${kind}`
  if (words === 'add chain') addChain(model, name, body)
  else if (words === 'add rule') addRules(model, name, [body])
  else if (words === 'add set' || words === 'add map') addContainer(model, name, body)
  else if (words === 'add element') addElements(model, name, body.slice(2, -2))
  else if (words === 'delete element') deleteElement(model, name, body.slice(2, -2))
  else if (words === 'flush chain') setRules(model, name, [])
  else if (words === 'delete chain') requireEmpty(model, name)
  else if (words === 'delete set') model.containers.delete(name)
  else if (words === 'delete table') for (const map of Object.values(model)) map.clear()
  else if (words !== 'add table') throw new Error(`not known: ${line}`)
}

function addChain(model: NftLoadModel, name: string, body: string): void {
  const [, hook = '', rules = ''] = /^\{ (type \w+ hook \w+ priority -?\d+; )?(.*)\}$/.exec(body) ?? []
  if (!model.chains.has(name)) model.chains.set(name, { hook, rules: [] })
  if (rules.trim() !== '') addRules(model, name, rules.trim().replace(/;$/, '').split('; '))
}

function addRules(model: NftLoadModel, name: string, rules: readonly string[]): void {
  setRules(model, name, [...(model.chains.get(name)?.rules ?? []), ...rules])
}

function setRules(model: NftLoadModel, name: string, rules: readonly string[]): void {
  const chain = model.chains.get(name)
  if (chain === undefined) throw new Error(`no chain ${name}`)
  model.chains.set(name, { ...chain, rules })
}

function requireEmpty(model: NftLoadModel, name: string): void {
  if (model.chains.get(name)?.rules.length !== 0) throw new Error(`chain ${name} is not there, or not empty`)
  model.chains.delete(name)
}

function addContainer(model: NftLoadModel, name: string, body: string): void {
  const [, type = '', elements] = /^\{ (.*?;) ?(?:elements = \{ (.*) \}; )?\}$/.exec(body) ?? []
  const known = model.containers.get(name)
  if (known !== undefined && shapeOf(known.head) !== shapeOf(type)) throw new Error(`${name} is another one`)
  model.containers.set(name, { head: type, elements: known?.elements ?? new Map() })
  if (elements !== undefined) addElements(model, name, elements)
}

// The timeout may change, nothing else.
function shapeOf(head: string): string {
  return head.replace(/ timeout \w+;/, '')
}

function addElements(model: NftLoadModel, name: string, list: string): void {
  const container = model.containers.get(name)
  if (container === undefined) throw new Error(`no set or map ${name}`)
  for (const element of list.split(', ')) {
    const key = keyOf(element)
    const known = container.elements.get(key)
    if (known !== undefined && known !== element) throw new Error(`${key} is in ${name} with another value`)
    container.elements.set(key, element)
  }
}

function deleteElement(model: NftLoadModel, name: string, key: string): void {
  if (model.containers.get(name)?.elements.delete(key) !== true) throw new Error(`${key} is not in ${name}`)
}

function keyOf(element: string): string {
  return element.replace(/ (?:comment "|: ).*$/, '')
}

function namesIn(text: string): readonly string[] {
  return [...text.matchAll(/(?:goto|jump|@)\s?([^\s,}]+)/g)].map(([, name = '']) => name)
}

function requireName({ chains, containers }: NftLoadModel, name: string, where: string): void {
  if (!chains.has(name) && !containers.has(name)) throw new Error(`${where} names ${name}, which is not there`)
}
