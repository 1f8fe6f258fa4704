// What a list costs the informer against one JSON.parse of the same text, in alternation on the same machine.
// `tsx --conditions=@kubewire/source bench/watch.bench.ts [services|pods] [count] [rounds]`. The goals are the ratios at
// the end; absolute numbers mean nothing on another machine. Of CPU and memory the medians count, of pauses the shortest:
// whatever else the machine does can only lengthen them.

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
  const sorted = (way: string, of: (run: Measured) => number): number[] =>
    runs
      .filter((one) => one.way === way)
      .map(of)
      .sort((a, b) => a - b)
  const median: Choice = (way, of) => {
    const all = sorted(way, of)
    return all[all.length >> 1] ?? Number.NaN
  }
  const least: Choice = (way, of) => sorted(way, of)[0] ?? Number.NaN
  const parsePauseMs = least('parse', (r) => r.pauseMs)
  console.log(
    `parse      CPU ${ms(median('parse', cpu))}, pause ${ms(parsePauseMs)}, peak ${mib(median('parse', peak))}`,
  )
  for (const way of ['paged', 'streaming']) {
    const figures: readonly Figure[] = [
      ['CPU', ms(median(way, cpu)), median(way, cpu) / median('parse', cpu), 1.2],
      ['longest pause', ms(least(way, (r) => r.pauseMs)), least(way, (r) => r.pauseMs) / parsePauseMs, 0.05],
      ['… of a relist', ms(least(way, relistPause)), least(way, relistPause) / parsePauseMs, 0.05],
      ['peak memory', mib(median(way, peak)), median(way, peak) / median('parse', peak), 0.33],
      ['… of the reference', mib(median(way, peak)), median(way, peak) / referencePeakMiB(), 1.5],
    ]
    for (const [what, value, ratio, goal] of figures) {
      const verdict = ratio <= goal ? 'ok' : 'MISSED'
      console.log(
        `${way.padEnd(10)} ${what.padEnd(20)} ${value} ${ratio.toFixed(3).padStart(8)} (goal ${goal}) ${verdict}`,
      )
    }
  }
}

type Choice = (way: string, of: (run: Measured) => number) => number
type Figure = readonly [what: string, value: string, ratio: number, goal: number]

// Peaks measured for lists streamed, projected, of 100,000 objects: what a reader of this kind needs.
function referencePeakMiB(): number {
  return ((kind === 'pods' ? 104 : 133) * Number(count)) / 100_000
}

function cpu(run: Measured): number {
  return run.cpuMs
}

function peak(run: Measured): number {
  return run.peakMiB
}

function relistPause(run: Measured): number {
  return run.relistPauseMs ?? Number.NaN
}

function ms(value: number): string {
  return `${value.toFixed(0).padStart(6)} ms `
}

function mib(value: number): string {
  return `${value.toFixed(0).padStart(6)} MiB`
}
