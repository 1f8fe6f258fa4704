// A helper process of the demo: this program again, usually inside a namespace, with a hidden command.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { DemoError, inside, split } from './netns.ts'

/** A helper that answers every line with a line. */
export interface DemoChild {
  /** Sends a line and waits for the answer. */
  ask(line: string): Promise<string>
  /** The first line that comes unasked. */
  next(): Promise<string>
  close(): Promise<void>
}

/** Starts `kubewire WORDS…` inside a namespace, or here. */
export function startChild(namespace: string | undefined, words: readonly string[]): DemoChild {
  const command = [process.execPath, process.argv[1] ?? '', ...words] as const
  const [program, args] = split(namespace === undefined ? command : inside(namespace, ...command))
  const child = spawn(program, args, { stdio: 'pipe' })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const errors = collectErrors(child)
  const next = async (): Promise<string> => {
    const line = await lines.next()
    if (line.done !== true) return line.value
    throw new DemoError(`the demo's ${words[0]} process ended: ${errors() || 'without a word'}`)
  }
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  child.stdin.on('error', () => {})
  return {
    next,
    ask: (line) => {
      child.stdin.write(`${line}\n`)
      return next()
    },
    close: async () => {
      child.stdin.end()
      const timer = setTimeout(() => child.kill('SIGKILL'), 2000)
      await ended
      clearTimeout(timer)
    },
  }
}

function collectErrors(child: ChildProcessWithoutNullStreams): () => string {
  let text = ''
  child.on('error', (error) => {
    text += error.message
  })
  child.stderr.on('data', (chunk: Buffer) => {
    text = (text + chunk.toString()).slice(-2000)
  })
  return () => text.trim()
}
