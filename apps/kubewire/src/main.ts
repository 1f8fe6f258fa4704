// Entry of `kubewire`: finds the command, reads its flags, runs it, turns what it throws into an exit code.

import { processOutput } from './output.ts'
import { runCli } from './run-cli.ts'

// A reader that stops reading (`| head`) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

process.exitCode = await runCli(process.argv.slice(2), processOutput())
