// Runs a program in place of this one: same terminal, same exit code. Signals go on to it, and so does the end of the
// shell that npm starts scripts in: `kill` on npm ends that shell and nothing below it. Plain Node without dependencies.

import { spawn } from 'node:child_process'

/** Runs `node ...words` until it ends. */
export function handOver(words) {
  const child = spawn(process.execPath, words, { stdio: 'inherit' })
  // The program may have had the signal from the terminal already; a second one must change nothing there.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => child.kill(name))
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.env['npm_lifecycle_event'] !== undefined && process.ppid !== parent) child.kill('SIGTERM')
  }, 500)
  return new Promise((resolve) => {
    child.once('error', (error) => {
      clearInterval(watch)
      console.error(error.message)
      resolve(1)
    })
    child.once('exit', (code) => {
      clearInterval(watch)
      resolve(code ?? 1)
    })
  })
}
