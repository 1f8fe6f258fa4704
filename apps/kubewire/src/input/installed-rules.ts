// `--rules`: what iptables-save printed, or `kubewire proxy render -o save`, as rules to ask.

import { parseSave, type Ruleset } from '@kubewire/iptables-gen'
import { type IpFamily, quoteFound, type WithProblems } from '@kubewire/kube-model'
import { InputError } from '../exit-code.ts'

/**
 * Reads the rules of one family.
 *
 * @throws InputError when the text holds no table, or no chain that the kernel enters by itself
 */
export function readInstalledRules(text: string, family: IpFamily, fileName: string): WithProblems<Ruleset> {
  const read = parseSave(partOf(text, family), { family, fileName })
  const tables = Object.values(read.value.tables)
  if (tables.length === 0) {
    const found = text.split('\n').find((line) => line.trim() !== '')
    const what = found === undefined ? 'nothing' : quoteFound(found)
    throw new InputError(`${fileName}: expected what iptables-save prints, with tables such as *nat, found ${what}`)
  }
  if (!tables.some((chains) => builtInChains.some((name) => chains?.has(name)))) {
    throw new InputError(
      `${fileName}: expected chains that the kernel enters, such as PREROUTING, found none: ` +
        'this is input of iptables-restore; `kubewire proxy render -o save` prints rules that can be asked',
    )
  }
  return read
}

const builtInChains = ['PREROUTING', 'INPUT', 'FORWARD', 'OUTPUT', 'POSTROUTING']

/** `proxy render` prints both families one after the other, each under its name. */
function partOf(text: string, family: IpFamily): string {
  const parts = text.split(/^# IPv([46])$/m)
  const at = parts.indexOf(String(family))
  return at % 2 === 1 ? (parts[at + 1] ?? '') : text
}
