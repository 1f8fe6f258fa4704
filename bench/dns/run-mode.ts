// Runs one mode: everyone is started, warmed up, and loaded in turns, so that what disturbs the machine disturbs all.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunningProgram } from '../../test/harness/process.ts'
import { median } from '../proxy/median.ts'
import { residentMiB } from './cpu.ts'
import { type Load, load, type Measured } from './load.ts'
import type { Mode } from './modes.ts'
import { questionLines } from './objects.ts'
import { type Scene, type Subject, subjects } from './subjects.ts'

/** How long and how often. */
export interface Effort {
  readonly rounds: number
  readonly seconds: number
}

/** Medians of one subject over all rounds. */
export interface Row {
  readonly name: string
  /** Why it was not measured. */
  readonly reason?: string
  readonly cpuMicroseconds: number
  readonly perSecond: number
  readonly lost: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly p999Ms: number
  readonly residentMiB: number
}

interface Running {
  readonly name: string
  readonly port: number
  readonly program: RunningProgram
  readonly measured: Measured[]
}

/** The rows of a mode, in its order. `changesPerSecond` is told to the cluster through `change`. */
export async function runMode(
  mode: Mode,
  scene: Omit<Scene, 'cores'>,
  effort: Effort,
  change: (perSecond: number) => void,
): Promise<Row[]> {
  const questions = join(scene.dir, `questions-${mode.questions}`)
  writeFileSync(questions, questionLines(mode.questions, scene.services).join('\n'))
  const cores = mode.cores ?? { server: '0', client: '1' }
  const chosen = mode.subjects.flatMap((name) => subjects.filter((one) => one.name === name))
  const running: Running[] = []
  const absent = new Map<string, string>()
  try {
    for (const [i, subject] of chosen.entries()) {
      const reason = subject.whyNot?.()
      if (reason !== undefined) absent.set(subject.name, reason)
      else
        running.push(
          await start(subject, mode, { ...scene, cores: cores.server }, 20_000 + (process.pid % 400) * 20 + 2 * i),
        )
    }
    const loadOf = ({ port }: Running): Load => ({
      port,
      questions,
      seconds: effort.seconds,
      cores: cores.client,
      ...(mode.options?.transport === undefined ? {} : { transport: mode.options.transport }),
      ...(mode.connections === undefined ? {} : { connections: mode.connections }),
    })
    change(mode.changesPerSecond ?? 0)
    for (const one of running) await load(one.program.pid, { ...loadOf(one), seconds: 10, isOnce: true })
    const rate = mode.loadShare === undefined ? undefined : mode.loadShare * (await saturation(running, loadOf))
    for (let round = 0; round < effort.rounds; round++) {
      for (const one of running) {
        const paced = rate === undefined ? {} : { rate, hasLatencies: true }
        one.measured.push(await load(one.program.pid, { ...loadOf(one), ...paced }))
      }
    }
    return chosen.map(({ name }) => rowOf(name, absent.get(name), running))
  } finally {
    change(0)
    for (const { program } of running) await program.stop('SIGKILL')
  }
}

async function start(subject: Subject, mode: Mode, scene: Scene, port: number): Promise<Running> {
  const program = await subject.start(scene, { ...mode.options, port })
  return { name: subject.name, port, program, measured: [] }
}

async function saturation(running: readonly Running[], loadOf: (one: Running) => Load): Promise<number> {
  const original = running.find(({ name }) => name === 'CoreDNS')
  if (original === undefined) return 20_000
  return (await load(original.program.pid, loadOf(original))).perSecond
}

function rowOf(name: string, reason: string | undefined, running: readonly Running[]): Row {
  const { measured = [], program } = running.find((one) => one.name === name) ?? {}
  const middle = (of: (one: Measured) => number): number => median(measured.map(of))
  return {
    name,
    ...(reason === undefined ? {} : { reason }),
    cpuMicroseconds: middle((one) => one.cpuMicroseconds),
    perSecond: middle((one) => one.perSecond),
    lost: measured.reduce((sum, { lost }) => sum + lost, 0),
    p50Ms: middle((one) => one.latencyMs(0.5)),
    p99Ms: middle((one) => one.latencyMs(0.99)),
    p999Ms: middle((one) => one.latencyMs(0.999)),
    residentMiB: program === undefined ? Number.NaN : residentMiB(program.pid),
  }
}
