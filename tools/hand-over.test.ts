// The demo must end with what started it: npm, its shell, or a signal to either.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const module = join(dirname(fileURLToPath(import.meta.url)), 'hand-over.mjs')
const program = `for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(name, () => { console.log(name); process.exit(name === 'SIGINT' ? 0 : 3) })
console.log('up', process.ppid)
setInterval(() => {}, 1000)`
const script = `const { handOver } = await import(process.argv[1]); process.exitCode = await handOver(['-e', process.argv[2]])`

/** Starts the script as npm does, in a shell that waits for it; lines of the program come out of `line()`. */
function start(): { readonly shell: ChildProcess; line(): Promise<string> } {
  const words = [process.execPath, '--input-type=module', '-e', script, module, program]
  const shell = spawn('sh', ['-c', '"$@"; exit $?', 'sh', ...words], {
    env: { ...process.env, npm_lifecycle_event: 'demo' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: shell.stdout })[Symbol.asyncIterator]()
  return { shell, line: async () => (await lines.next()).value ?? 'nothing more' }
}

it.each([
  ['SIGINT', 0],
  ['SIGTERM', 3],
  ['SIGHUP', 3],
] as const)('%s reaches the program, whose exit code is kept', async (signal, code) => {
  const { shell, line } = start()
  const exited = once(shell, 'exit')
  const pid = Number((await line()).split(' ')[1])
  process.kill(pid, signal)
  expect(await line()).toBe(signal)
  expect(await exited).toEqual([code, null])
})

it('when the shell between npm and the script is killed, the program is told to end', async () => {
  const { shell, line } = start()
  expect(await line()).toMatch(/^up/)
  shell.kill('SIGTERM')
  expect(await line()).toBe('SIGTERM')
})
