// Entry of `kubewire`: runs the command line; a word that begins with `__` is a helper process of the demo.

import { processOutput } from './output.ts'
import { runCli } from './run-cli.ts'

// A reader that stops reading (`| head`) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

const words = process.argv.slice(2)
if (words[0]?.startsWith('__')) {
  const { runHelperProcess } = await import('./up/helper-process.ts')
  await runHelperProcess(words)
} else {
  process.exitCode = await runCli(words, processOutput())
}
