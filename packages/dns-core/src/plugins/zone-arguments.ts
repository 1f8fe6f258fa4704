// Reading shared by many plugins: zone arguments, fallthrough, numbers and durations, with the original's messages.

import { parseGoDuration } from '@kubewire/kube-model'
import type { Directive, DirectiveToken } from '../corefile/directive.ts'
import { parseZones } from '../corefile/zones.ts'
import { foldName, isUnder, type Name } from '../name.ts'
import type { ConfigureInput } from '../plugin.ts'

/** Zones given as arguments, or those of the block when there are none. */
export function zonesOrBlock(input: ConfigureInput, args: readonly DirectiveToken[]): readonly Name[] {
  return args.length === 0 ? input.block.zones : zoneList(input, args)
}

/** Zones of a list of arguments. COMPAT: what is no zone is left out without a word (CoreDNS plugin/normalize.go). */
export function zoneList(_input: ConfigureInput, args: readonly DirectiveToken[]): readonly Name[] {
  return args.flatMap((arg) => parseZones(arg.text) ?? [])
}

/** A path of the Corefile; relative ones start in the directory of the `root` plugin, else where the process runs. */
export function pathAtRoot(root: string, path: string): string {
  return path.startsWith('/') || root === '' ? path : `${root}/${path}`
}

/** Zones for which a plugin hands names on that it does not have; empty means never, the root always. */
export function fallthroughZones(input: ConfigureInput, line: Directive): readonly Name[] {
  return line.args.length === 0 ? ['.'] : zoneList(input, line.args)
}

/** Whether a folded name falls through. */
export function fallsThrough(zones: readonly Name[], name: Name): boolean {
  return zones.some((zone) => isUnder(zone, foldName(name)))
}

/** An integer argument; a text that is none gives Go's message. */
export function integerArgument(input: ConfigureInput, token: DirectiveToken | undefined): number | undefined {
  if (token === undefined) return undefined
  const read = integerProblem(token.text, 'Atoi')
  if (typeof read === 'number') return read
  input.fail(read, token)
  return undefined
}

/** `strconv.Atoi: parsing "x": invalid syntax` */
export function goSyntaxError(parser: string, text: string): string {
  return `strconv.${parser}: parsing ${JSON.stringify(text)}: invalid syntax`
}

/** A duration argument in milliseconds. */
export function durationArgument(input: ConfigureInput, token: DirectiveToken | undefined): number | undefined {
  if (token === undefined) return undefined
  const read = durationProblem(token.text)
  if (typeof read === 'number') return read
  input.fail(read, token)
  return undefined
}

/** Like `durationArgument`; COMPAT: some plugins of the original leave the place of the problem out. */
export function plainDuration(input: ConfigureInput, token: DirectiveToken | undefined): number | undefined {
  if (token === undefined) return undefined
  const read = durationProblem(token.text)
  if (typeof read === 'number') return read
  input.failPlain(read)
  return undefined
}

/** Like `integerArgument`, with the problem at no place. `parser` is the Go function that the message names. */
export function plainInteger(
  input: ConfigureInput,
  token: DirectiveToken | undefined,
  parser: 'Atoi' | 'ParseInt' | 'ParseUint' = 'Atoi',
): number | undefined {
  if (token === undefined) return undefined
  const read = integerProblem(token.text, parser)
  if (typeof read === 'number') return read
  input.failPlain(read)
  return undefined
}

/** A number of at most 32 bits (without a sign for `ParseUint`), or Go's message about it. */
export function integerProblem(text: string, parser: 'Atoi' | 'ParseInt' | 'ParseUint', bits = 64): number | string {
  const pattern = parser === 'ParseUint' ? /^[0-9]+$/ : /^[+-]?[0-9]+$/
  if (!pattern.test(text)) return goSyntaxError(parser, text)
  const limit = parser === 'ParseUint' ? 2 ** bits : 2 ** (bits - 1)
  if (Math.abs(Number(text)) >= limit) return `strconv.${parser}: parsing ${JSON.stringify(text)}: value out of range`
  return Number(text)
}

/** Milliseconds of a Go duration, or Go's message about it. */
export function durationProblem(text: string): number | string {
  const ms = parseGoDuration(text)
  if (ms !== undefined) return ms
  // A number past 63 bits is no number to Go, before it looks for a unit.
  return /^[+-]?[0-9.]+$/.test(text) && Math.abs(Number(text)) < 2 ** 63
    ? `time: missing unit in duration ${JSON.stringify(text)}`
    : `time: invalid duration ${JSON.stringify(text)}`
}
