import { execFileSync } from 'node:child_process'
import { beforeAll, expect, test } from 'vitest'
import { commands } from './commands/registry.ts'
import { printCompletion } from './completion.ts'

// Loads every command once, from source.
let script = ''
beforeAll(async () => {
  script = await printCompletion('bash', commands)
}, 60_000)

test.each([
  ['the first word is a command or an area', ['p'], 'proxy'],
  ['the second is a verb of the area', ['dns', 'e'], 'explain'],
  ['flags are those of the command', ['lint', '--sk'], '--skip'],
  ['also behind two words', ['proxy', 'explain', '--fr'], '--from'],
  ['where files are meant nothing stands in their way', ['lint', '-f', 'x'], ''],
] as const)('%s', (_name, words, expected) => {
  const ask = `COMP_WORDS=(kubewire ${words.join(' ')}); COMP_CWORD=${words.length}; _kubewire; echo "\${COMPREPLY[*]}"`
  const printed = execFileSync('bash', ['-c', `${script}\n${ask}`], { encoding: 'utf8' })
  expect(printed.trim()).toBe(expected)
})

test('zsh takes the same script, through its bash completion', async () => {
  const zsh = await printCompletion('zsh', commands)
  expect(
    zsh
      .split('\n')
      .slice(1)
      .filter((line) => !line.includes('bashcompinit')),
  ).toEqual(script.split('\n').slice(1))
})
