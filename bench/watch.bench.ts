// What a list costs the informer against one JSON.parse of the same text, in alternation on the same machine.
// `tsx --conditions=@kubewire/source bench/watch.bench.ts [services|pods] [count] [rounds]`. The goals are the ratios at
// the end; absolute numbers mean nothing on another machine.

import { type ChildProcess, spawn } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Measured } from './watch/measure.ts'
import { type BenchKind, listText, objectOf } from './watch/objects.ts'

const [kind = 'services', count = '50000', rounds = '3'] = process.argv.slice(2) as [BenchKind?, string?, string?]
const here = fileURLToPath(new URL('./watch/', import.meta.url))
const directory = mkdtempSync(join(tmpdir(), 'kw-bench-'))
const files = [join(directory, 'list.json'), join(directory, 'frames.ndjson')] as const
let server: ChildProcess | undefined

try {
  writeFiles()
  console.log(`${count} ${kind}, ${(statSync(files[0]).size / 2 ** 20).toFixed(0)} MiB as one list`)
  const port = await startServer()
  const runs: Measured[] = []
  for (let round = 0; round < Number(rounds); round++) {
    for (const way of ['parse', 'paged', 'streaming']) runs.push(await measure(way, port))
  }
  report(runs)
} finally {
  server?.kill()
  rmSync(directory, { recursive: true, force: true })
}

function writeFiles(): void {
  for (const file of files) writeFileSync(file, '')
  for (const text of listText(kind, Number(count))) appendFileSync(files[0], text)
  const type = { kind: kind === 'pods' ? 'Pod' : 'Service', apiVersion: 'v1' }
  let text = ''
  const flush = (): void => {
    appendFileSync(files[1], text)
    text = ''
  }
  for (let i = 0; i < Number(count); i++) {
    text += `${JSON.stringify({ type: 'ADDED', object: { ...type, ...objectOf(kind, i) } })}\n`
    if (text.length > 4_000_000) flush()
  }
  const metadata = { resourceVersion: '900000', annotations: { 'k8s.io/initial-events-end': 'true' } }
  text += `${JSON.stringify({ type: 'BOOKMARK', object: { ...type, metadata } })}\n`
  flush()
}

function run(script: string, ...args: readonly string[]): ChildProcess {
  const flags = ['--import', 'tsx', '--conditions=@kubewire/source', '--max-old-space-size=4000']
  return spawn(process.execPath, [...flags, join(here, script), ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
}

function startServer(): Promise<string> {
  server = run('list-server.ts', ...files)
  return firstLine(server)
}

async function measure(way: string, port: string): Promise<Measured> {
  return JSON.parse(await firstLine(run('measure.ts', way, kind, port, files[0]))) as Measured
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')))
    })
    child.once('exit', (code) => reject(new Error(`the process ended with ${code}`)))
  })
}

function report(runs: readonly Measured[]): void {
  const median = (way: string, of: (run: Measured) => number): number => {
    const sorted = runs
      .filter((one) => one.way === way)
      .map(of)
      .sort((a, b) => a - b)
    return sorted[sorted.length >> 1] ?? Number.NaN
  }
  const parse = (of: (run: Measured) => number): number => median('parse', of)
  for (const way of ['parse', 'paged', 'streaming']) {
    const figure = (of: (run: Measured) => number): string => median(way, of).toFixed(0).padStart(6)
    const relist =
      way === 'parse'
        ? ''
        : `, again: cpu ${figure((r) => r.relistCpuMs ?? 0)} ms, pause ${figure((r) => r.relistPauseMs ?? 0)} ms`
    console.log(
      `${way.padEnd(9)} cpu ${figure((r) => r.cpuMs)} ms, pause ${figure((r) => r.pauseMs)} ms, peak ${figure((r) => r.peakMiB)} MiB${relist}`,
    )
  }
  for (const way of ['paged', 'streaming']) {
    const ratios = [
      ['CPU', median(way, (r) => r.cpuMs) / parse((r) => r.cpuMs), 1.2],
      ['longest pause', median(way, (r) => r.pauseMs) / parse((r) => r.pauseMs), 0.05],
      ['longest pause of a relist', median(way, (r) => r.relistPauseMs ?? 0) / parse((r) => r.pauseMs), 0.05],
      ['peak memory', median(way, (r) => r.peakMiB) / parse((r) => r.peakMiB), 0.33],
    ] as const
    for (const [what, ratio, goal] of ratios) {
      console.log(
        `${way} against parse, ${what}: ${ratio.toFixed(3)} (goal ${goal}) ${ratio <= goal ? 'ok' : 'MISSED'}`,
      )
    }
  }
}
