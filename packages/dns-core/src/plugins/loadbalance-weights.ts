// The policy `weighted` of loadbalance: one address is drawn by its weight and put first (CoreDNS
// plugin/loadbalance/weighted.go). Weights come from a file of names, each followed by lines `ADDRESS WEIGHT`.

import type { DirectiveToken } from '../corefile/directive.ts'
import { parseGoIp } from '../kube/go-ip.ts'
import { absoluteName, foldName, type Name } from '../name.ts'
import type { ConfigureInput, Ports } from '../plugin.ts'
import type { DnsRecord } from '../record.ts'
import { rrType } from '../record-types.ts'
import { durationArgument, pathAtRoot } from './zone-arguments.ts'

/** Where the weights come from. */
export interface WeightedSource {
  readonly path: string
  /** 0 is never. */
  readonly reloadMs: number
}

/** Weights by name and address. */
type WeightTable = ReadonlyMap<Name, ReadonlyMap<string, number>>

/** Weights kept up to date. */
export interface Weights {
  arrange(records: readonly DnsRecord[]): readonly DnsRecord[]
  readonly startError: string | undefined
  close(): void
}

const defaultReloadMs = 30_000

/** An address that the file does not name. */
const defaultWeight = 1

/** Reads the words of the directive. */
export function weightedSource(
  input: ConfigureInput,
  file: string,
  reload: DirectiveToken | undefined,
): WeightedSource {
  const reloadMs = durationArgument(input, reload) ?? defaultReloadMs
  if (reloadMs < 0 && reload !== undefined) input.fail(`invalid reload duration '${reload.text}'`, reload)
  return { path: pathAtRoot(input.block.root, file), reloadMs }
}

/** Reads the file now and again after each interval; a file that does not parse leaves the weights before it. */
export function createWeights({ path, reloadMs }: WeightedSource, ports: Ports): Weights {
  let table: WeightTable = new Map()
  let stamp: string | undefined
  let cancel = (): void => {}
  const load = (): string | undefined => {
    const found = ports.fileStamp(path)
    if (found !== undefined && found === stamp) return undefined
    stamp = found
    const text = ports.readFile(path)
    if (text === undefined) {
      const again = `Will try again in ${reloadMs / 1000}s`
      ports.log('warning', `plugin/loadbalance: Failed to open weight file:weight file open error. ${again}`)
      return undefined
    }
    const parsed = parseWeights(text)
    if ('error' in parsed) return `${parsed.error} in weight file ${path}`
    table = parsed.table
    return undefined
  }
  const poll = (): void => {
    const error = load()
    if (error !== undefined) ports.log('error', `plugin/loadbalance: ${error}`)
    cancel = ports.schedule(reloadMs, poll)
  }
  const startError = load()
  if (reloadMs > 0) cancel = ports.schedule(reloadMs, poll)
  return { arrange: (records) => arrangeByWeight(records, table, ports.random), startError, close: () => cancel() }
}

/** Reads a file of weights; `#` starts a comment. */
function parseWeights(text: string): { readonly table: WeightTable } | { readonly error: string } {
  const table = new Map<Name, Map<string, number>>()
  let current: Map<string, number> | undefined
  for (const line of text.split('\n')) {
    const words = line.replace(/#.*$/, '').trim().split(/\s+/)
    const [first = '', second] = words
    if (first === '') continue
    if (second === undefined) {
      current = new Map()
      table.set(foldName(absoluteName(first)), current)
      continue
    }
    const address = parseGoIp(first)
    const weight = /^[0-9]{1,3}$/.test(second) ? Number(second) : 0
    if (words.length > 2) return { error: `could not parse weight line:"${line.trim()}"` }
    if (current === undefined) return { error: 'missing domain name' }
    if (address === undefined) return { error: `wrong IP address:"${first}"` }
    if (weight < 1 || weight > 255) return { error: `wrong weight value:"${second}"` }
    current.set(address, weight)
  }
  return { table }
}

/** Draws one address of a named owner and puts it in front of the others, which keep their order. */
function arrangeByWeight(
  records: readonly DnsRecord[],
  table: WeightTable,
  random: () => number,
): readonly DnsRecord[] {
  const addresses = records.filter((record) => record.type === rrType.A || record.type === rrType.AAAA)
  const weights = table.get(foldName(addresses[0]?.name ?? '.'))
  if (weights === undefined || addresses.length < 2) return records
  const weightOf = ({ data }: DnsRecord): number =>
    (data.kind === 'address' ? weights.get(data.address) : undefined) ?? defaultWeight
  let left = Math.floor(random() * addresses.reduce((sum, record) => sum + weightOf(record), 0))
  const chosen = addresses.find((record) => {
    left -= weightOf(record)
    return left < 0
  })
  if (chosen === undefined) return records
  const ordered = [chosen, ...addresses.filter((record) => record !== chosen)]
  const others = records.filter((record) => !addresses.includes(record))
  return [...others.filter((r) => r.type !== rrType.MX), ...ordered, ...others.filter((r) => r.type === rrType.MX)]
}
