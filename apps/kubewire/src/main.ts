// Entry of `kubewire`: runs the command line; a word that begins with `__` is a helper process of the demo.

import { watchStreams } from './broken-streams.ts'
import { processOutput } from './output.ts'
import { runCli } from './run-cli.ts'

watchStreams()

const words = process.argv.slice(2)
if (words[0]?.startsWith('__')) {
  const { runHelperProcess } = await import('./up/helper-process.ts')
  await runHelperProcess(words)
} else {
  process.exitCode = await runCli(words, processOutput())
}
