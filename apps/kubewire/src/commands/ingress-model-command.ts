// What the ingress commands that print the model have in common: objects in, the controller's view of them, text or JSON.

import type { FlagTable, FlagValues } from '@kubewire/daemon-kit'
import type { Model } from '@kubewire/nginx-gen'
import { type Command, defineCommand, type Invocation } from '../command.ts'
import { UsageError } from '../exit-code.ts'
import { clusterFlags } from '../input/cluster-flags.ts'
import { ingressFlags, translateInput } from '../input/ingress-input.ts'
import { reportShown } from '../output.ts'
import { printTextOrJson, textOrJson } from '../print/text-or-json.ts'
import { inputFlags, readInput } from '../read-input.ts'

const flags = { ...inputFlags, ...clusterFlags, ...ingressFlags, ...textOrJson } as const

/** One such command; `word` is the single word it may take. */
export function defineModelCommand<const T extends FlagTable>(definition: {
  readonly usage: string
  readonly takesWords?: boolean
  readonly flags: T
  readonly text: (model: Model, word: string | undefined, values: FlagValues<T>) => string
  /** For people, where the text is empty; data it is not. */
  readonly none?: string
  readonly json: (model: Model, word: string | undefined) => unknown
}): Command {
  const { usage, takesWords = false, text, json, none } = definition
  return defineCommand({
    usage,
    takesWords,
    flags: { ...flags, ...definition.flags },
    run: async (invocation: Invocation<FlagTable>) => {
      const values = invocation.values as unknown as FlagValues<typeof flags> & FlagValues<T>
      const { args, output } = invocation
      const [word, ...more] = args
      if (more.length > 0) throw new UsageError(`expected one name, found ${args.join(' ')}`)
      const input = await readInput(values, output)
      const { value: model, problems } = translateInput(input.snapshot, values)
      const data = printTextOrJson(
        values.output,
        () => text(model, word, values),
        () => json(model, word),
      )
      output.data(data)
      if (data === '' && none !== undefined) output.note(`${none}\n`)
      return reportShown(output, [...input.problems, ...problems])
    },
  })
}
