// What `iptables-restore --noflush` does to tables, on lines instead of a kernel: enough to check that a text would be
// accepted and what it leaves behind. Knows nothing of kube-proxy. For tests.

/** Lines of rules (without `-A CHAIN`) by chain, chains by table. */
export type RestoreModel = Map<string, Map<string, string[]>>

const builtIn: { readonly [table: string]: readonly string[] } = {
  filter: ['INPUT', 'FORWARD', 'OUTPUT'],
  nat: ['PREROUTING', 'INPUT', 'OUTPUT', 'POSTROUTING'],
}

/** A fresh kernel. */
export function emptyRestoreModel(): RestoreModel {
  return new Map(
    Object.entries(builtIn).map(([table, chains]) => [table, new Map(chains.map((name) => [name, [] as string[]]))]),
  )
}

/** Carries out a text; throws, with nothing promised about the model, where the kernel would refuse it. */
export function applyRestore(model: RestoreModel, text: string): void {
  let chains: Map<string, string[]> = new Map()
  for (const line of text.split('\n')) {
    if (line.startsWith('*')) chains = model.get(line.slice(1)) ?? refuse(line, 'no such table')
    else if (line.startsWith(':')) chains.set(line.slice(1, line.indexOf(' ')), [])
    else if (line === 'COMMIT') checkReferences(chains)
    else if (line !== '') applyLine(chains, line)
  }
}

/** The model as text that a parser of saved rules reads. */
export function printRestoreModel(model: RestoreModel): string {
  const parts: string[] = []
  for (const [table, chains] of model) {
    parts.push(`*${table}`)
    for (const name of chains.keys()) parts.push(`:${name} ${builtIn[table]?.includes(name) ? 'ACCEPT' : '-'} [0:0]`)
    for (const [name, rules] of chains) for (const rule of rules) parts.push(`-A ${name} ${rule}`)
    parts.push('COMMIT')
  }
  return `${parts.join('\n')}\n`
}

function applyLine(chains: Map<string, string[]>, line: string): void {
  const [command = '', name = ''] = line.split(' ', 2)
  const rules = chains.get(name) ?? refuse(line, 'no such chain')
  const rule = line.slice(command.length + name.length + 2)
  if (command === '-A') rules.push(rule)
  else if (command === '-I') rules.unshift(rule)
  else if (command === '-D') {
    const at = rules.indexOf(rule)
    if (at < 0) refuse(line, 'no such rule')
    rules.splice(at, 1)
  } else if (command === '-X') {
    if (rules.length > 0) refuse(line, 'the chain is not empty')
    chains.delete(name)
  } else refuse(line, 'unknown command')
}

const verdicts = new Set(['ACCEPT', 'DROP', 'RETURN', 'REJECT', 'DNAT', 'MARK', 'MASQUERADE'])

function checkReferences(chains: ReadonlyMap<string, readonly string[]>): void {
  for (const rules of chains.values()) {
    for (const rule of rules) {
      const target = / ?-[jg] (\S+)/.exec(rule)?.[1]
      if (target !== undefined && !verdicts.has(target) && !chains.has(target)) refuse(rule, 'no such target')
    }
  }
}

function refuse(line: string, why: string): never {
  throw new Error(`iptables-restore would refuse "${line}": ${why}`)
}
