// The result of a soak as Markdown, for the terminal and for bench/RESULTS.md.

import { probeKinds } from './probe.ts'
import { slopePerHour } from './resources.ts'
import type { SoakResult } from './run-soak.ts'

/** Memory is compared after the first ten minutes, or the first third of a short run. */
const warmMs = 600_000

/** Whether a result is as it must be. */
export function isGood({ wrong, failed, differences }: SoakResult): boolean {
  return wrong.length === 0 && failed.length === 0 && differences.length === 0
}

/** The tables. */
export function printResult(result: SoakResult): string {
  const { options, changes, counts, wrong, failed, faults, samples, differences } = result
  const warm = Math.min(warmMs, options.minutes * 20_000)
  return [
    `${options.minutes} minutes, ${options.services} Services of which ${options.probed} are asked, ${Math.round(changes)} changes, seed ${options.seed}.`,
    '',
    '| asked | questions | failed while a fault explains it | failed otherwise | wrong | latest (s) |',
    '| --- | --- | --- | --- | --- | --- |',
    ...probeKinds.map((kind) => {
      const of = (list: readonly string[]): number => list.filter((line) => line.includes(` ${kind} `)).length
      return `| ${kind} | ${counts[kind].asked} | ${counts[kind].failedInFaults} | ${of(failed)} | ${of(wrong)} | ${(counts[kind].latestMs / 1000).toFixed(1)} |`
    }),
    '',
    '| fault | times | failed questions | longest window (s) |',
    '| --- | --- | --- | --- |',
    ...faults
      .summaries()
      .map((one) => `| ${one.name} | ${one.times} | ${one.failed} | ${(one.longestWindowMs / 1000).toFixed(1)} |`),
    '',
    '| daemon | resident at the end (MiB) | slope (MiB an hour) | handles | slope (an hour) |',
    '| --- | --- | --- | --- | --- |',
    ...[...samples].map(([name, list]) => {
      const last = list.at(-1)
      const slope = (value: (sample: (typeof list)[number]) => number): string =>
        slopePerHour(list, value, warm).toFixed(1)
      return `| ${name} | ${last?.residentMiB.toFixed(0)} | ${slope((one) => one.residentMiB)} | ${last?.handles} | ${slope((one) => one.handles)} |`
    }),
    '',
    differences.length === 0
      ? 'State at the end: as made from nothing.'
      : `State at the end: ${differences.length} differences.`,
    ...[...failed.slice(0, 20), ...wrong.slice(0, 20), ...differences.slice(0, 20)].map((line) => `- ${line}`),
    '',
  ].join('\n')
}
