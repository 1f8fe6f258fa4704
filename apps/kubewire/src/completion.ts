// `kubewire completion bash|zsh`: a script for the shell, made from the registry and the flags of each command.

import type { FlagTable } from '@kubewire/daemon-kit'
import type { CommandEntry } from './commands/registry.ts'
import { UsageError } from './exit-code.ts'

/**
 * The script; it needs no kubewire while it completes.
 *
 * @throws UsageError when the shell is none of ours
 */
export async function printCompletion(shell: string | undefined, entries: readonly CommandEntry[]): Promise<string> {
  if (shell !== 'bash' && shell !== 'zsh') throw new UsageError('expected bash or zsh')
  const flags = new Map<string, string>()
  for (const { name, load } of entries) flags.set(name, flagWords((await load()).command.flags))
  const areas = new Map<string, string[]>()
  for (const { name } of entries) {
    const [first = '', second] = name.split(' ')
    areas.set(first, [...(areas.get(first) ?? []), ...(second === undefined ? [] : [second])])
  }
  const verbs = [...areas].filter(([, words]) => words.length > 0)
  return [
    `# ${shell} completion of kubewire; load it with: source <(kubewire completion ${shell})`,
    ...(shell === 'zsh' ? ['autoload -U +X bashcompinit && bashcompinit'] : []),
    '_kubewire() {',
    '  local current="${COMP_WORDS[COMP_CWORD]}" words=""',
    '  if [[ $current == -* ]]; then',
    '    case "${COMP_WORDS[1]} ${COMP_WORDS[2]}" in',
    ...[...flags].map(([name, words]) => `      "${name}${name.includes(' ') ? '' : ' '}"*) words="${words}" ;;`),
    '    esac',
    '  elif [[ $COMP_CWORD -eq 1 ]]; then',
    `    words="${[...areas.keys(), 'completion', 'help', 'version'].join(' ')}"`,
    '  elif [[ $COMP_CWORD -eq 2 ]]; then',
    '    case "${COMP_WORDS[1]}" in',
    ...verbs.map(([area, words]) => `      ${area}) words="${words.join(' ')}" ;;`),
    '      completion) words="bash zsh" ;;',
    '    esac',
    '  fi',
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '}',
    // Where nothing is known the shell offers files.
    'complete -o default -F _kubewire kubewire',
    '',
  ].join('\n')
}

function flagWords(flags: FlagTable): string {
  return [...Object.keys(flags), 'help'].map((name) => `--${name}`).join(' ')
}
