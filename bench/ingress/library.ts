// What the library costs beside nginx: translation and rendering of everything, of one changed Ingress, and `nginx -t` of
// the result and of a file that repeats everything. CPU milliseconds, of this process and of nginx.

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { snapshotOf } from '@kubewire/kube-model'
import { createRenderer, createTranslator, dynamicData, printConfig } from '@kubewire/nginx-gen'
import { clusterOf, hostAt, ingressAt, makePair } from './objects.ts'
import { repeatedShape } from './repeated-shape.ts'

/** Medians. */
export interface LibraryCosts extends RoundCosts {
  /** Translation and rendering in a process that has done nothing yet. */
  readonly firstMs: number
}

interface RoundCosts {
  readonly translateMs: number
  readonly renderMs: number
  readonly changedMs: number
  readonly changedTranslateMs: number
  readonly testMs: number
  readonly repeatedTestMs: number
  readonly bytes: number
  readonly repeatedBytes: number
}

const modules = '/usr/lib/nginx/modules'

/** Measures `rounds` rounds in alternation, after a first one that counts apart; V8 is set as the daemon sets it. */
export function measureLibrary(count: number, rounds: number): LibraryCosts {
  setFlagsFromString('--interrupt-budget=400000')
  const dir = mkdtempSync(join(tmpdir(), 'kw-bench-'))
  try {
    const pair = makePair()
    const objects = clusterOf(count, pair)
    const pairFile = join(dir, 'pair.pem')
    writeFileSync(pairFile, pair.cert + pair.key)
    mkdirSync(join(dir, 'temp'))
    const luaDir = join(dirname(fileURLToPath(import.meta.url)), '../../packages/nginx-gen/src/lua')
    const paths = {
      ...{ filesDir: dir, luaDir, modulesDir: modules, pidFile: join(dir, 'nginx.pid'), tempDir: join(dir, 'temp') },
      ...{ controlSocket: join(dir, 'ctl.sock'), defaultCertificate: pairFile, streamDir: dir },
    }
    const options = { watchWithoutClass: true, httpPort: 18080, httpsPort: 18443 }
    const rows: RoundCosts[] = []
    for (let round = 0; round <= rounds; round++) {
      const translator = createTranslator(options)
      const renderer = createRenderer()
      const full = snapshotOf(objects)
      const translated = cpuMs(() => translator.translate(full).value)
      const rendered = cpuMs(() => Buffer.from(printConfig(renderer.render(translated.value, paths))))
      dynamicData(translated.value)
      const ours = testWith(dir, rendered.value)
      const repeated = Buffer.from(repeatedShape(count, hostAt, pairFile, modules))
      const theirs = testWith(dir, repeated)
      // One after the other, as in a daemon that has been running; the first one still pays for the garbage of the start.
      const changes = [1, 2, 3, 4, 5].map((step) => {
        const changed = snapshotOf(replaced(objects, 2 + 3 * step, ingressAt(step, 61 + round)))
        const again = cpuMs(() => translator.translate(changed).value)
        const rest = cpuMs(() => {
          dynamicData(again.value)
          return printConfig(renderer.render(again.value, paths)).length
        })
        return { translateMs: again.ms, allMs: again.ms + rest.ms }
      })
      rows.push({
        ...{ translateMs: translated.ms, renderMs: rendered.ms },
        changedTranslateMs: median(changes.map((change) => change.translateMs)),
        changedMs: median(changes.map((change) => change.allMs)),
        ...{ testMs: ours, repeatedTestMs: theirs },
        ...{ bytes: rendered.value.length, repeatedBytes: repeated.length },
      })
    }
    const [first, ...rest] = rows
    return { ...medians(rest), firstMs: (first?.translateMs ?? 0) + (first?.renderMs ?? 0) }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

function cpuMs<T>(work: () => T): { readonly value: T; readonly ms: number } {
  const start = process.cpuUsage()
  const value = work()
  const { user, system } = process.cpuUsage(start)
  return { value, ms: (user + system) / 1000 }
}

// Ports are opened by the test, so it has a namespace of its own; CPU is that of all children waited for.
function testWith(dir: string, text: Buffer): number {
  const file = join(dir, 'nginx.conf')
  writeFileSync(file, text)
  const before = childTicks()
  const { status, stderr } = spawnSync('unshare', ['-n', 'nginx', '-t', '-p', dir, '-c', file, '-e', 'stderr'], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`nginx refuses the file: ${stderr.slice(0, 500)}`)
  return (childTicks() - before) * tickMs
}

const tickMs = 1000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

/** User and system time of ended children (proc(5), fields 16 and 17 of stat). */
function childTicks(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return Number(fields[13]) + Number(fields[14])
}

function medians(rows: readonly RoundCosts[]): RoundCosts {
  const of = (read: (row: RoundCosts) => number): number => rows.map(read).sort((a, b) => a - b)[rows.length >> 1] ?? 0
  return {
    translateMs: of((row) => row.translateMs),
    renderMs: of((row) => row.renderMs),
    changedMs: of((row) => row.changedMs),
    changedTranslateMs: of((row) => row.changedTranslateMs),
    testMs: of((row) => row.testMs),
    repeatedTestMs: of((row) => row.repeatedTestMs),
    bytes: of((row) => row.bytes),
    repeatedBytes: of((row) => row.repeatedBytes),
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0
}

function replaced<T>(list: readonly T[], at: number, item: T): readonly T[] {
  return list.map((old, index) => (index === at ? item : old))
}
