// `docs/compat/<area>.md`: ours beside the original, per suite, from the recorded sums of conformance runs.

import type { ConformanceReport, SuiteSums } from '../../test/conformance/report.ts'

/** A way of running the cases. */
export type CompatMode = 'library' | 'real' | 'original'

/** What one run of an area gave. */
export type CompatResult = Pick<ConformanceReport, 'suites' | 'total'> & {
  /** `suite/name` → number of failed probes. */
  readonly failing: Readonly<Record<string, number>>
  /** Reason → number of probes that could not be run for it. */
  readonly notRunnable: Readonly<Record<string, number>>
}

/** Everything known about one area. */
export type CompatResults = Readonly<Partial<Record<CompatMode, CompatResult>>>

const originals: Readonly<Record<string, string>> = {
  api: 'kube-apiserver 1.37.2',
  dns: 'CoreDNS 1.15.0',
  proxy: 'kube-proxy 1.37.2',
  ingress: 'ingress-nginx 1.15.1',
}

const commands: Readonly<Record<CompatMode, string>> = {
  library: '--via library',
  real: '',
  original: '--target original',
}

/** The page of one area. */
export function printCompatPage(area: string, results: CompatResults): string {
  const modes = (['library', 'real', 'original'] as const).filter((mode) => results[mode] !== undefined)
  const titles = { library: 'ours, in process', real: 'ours, running', original: originals[area] ?? 'the original' }
  const suites = [...new Set(modes.flatMap((mode) => results[mode]?.suites.map(({ suite }) => suite) ?? []))].sort()
  const row = (name: string, sums: (mode: CompatMode) => Omit<SuiteSums, 'suite'> | undefined): string => {
    const files = Math.max(...modes.map((mode) => sums(mode)?.files ?? 0))
    return `| ${name} | ${files} | ${modes.map((mode) => printSums(sums(mode))).join(' | ')} |`
  }
  return [
    `# ${area}: ours beside ${originals[area]}`,
    '',
    'Every number counts probes (questions, flows, requests, rule sets) of the case files in',
    '[test/conformance/cases](../../test/conformance/cases). *In process* asks the libraries, *running* asks the daemons',
    'over real sockets, the kernel and nginx in namespaces of their own. To repeat it:',
    '',
    '```sh',
    ...modes.map((mode) => `pnpm conformance ${area} ${commands[mode]}`.trimEnd()),
    '```',
    '',
    `| suite | files | ${modes.map((mode) => titles[mode]).join(' | ')} |`,
    `| --- | --- | ${modes.map(() => '---').join(' | ')} |`,
    ...suites.map((suite) => row(suite, (mode) => results[mode]?.suites.find((one) => one.suite === suite))),
    row('all', (mode) => results[mode]?.total),
    '',
    ...modes.flatMap((mode) => printDetails(titles[mode], results[mode])),
  ].join('\n')
}

/** The matrix of all areas, for `docs/compat/README.md`. */
export function printCompatMatrix(all: Readonly<Record<string, CompatResults>>): string {
  const rows = Object.entries(originals).map(([area, original]) => {
    const results = all[area] ?? {}
    const files = Math.max(0, ...Object.values(results).map(({ total }) => total.files))
    const cells = (['library', 'real', 'original'] as const).map((mode) => printSums(results[mode]?.total))
    return `| [${area}](${area}.md) | ${original} | ${files} | ${cells.join(' | ')} |`
  })
  return [
    '| area | beside | case files | ours, in process | ours, running | the original |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n')
}

function printSums(sums: Omit<SuiteSums, 'suite'> | undefined): string {
  if (sums === undefined) return '–'
  const ran = sums.passed + sums.failed
  const share = ran === 0 ? '' : ` (${Math.floor((1000 * sums.passed) / ran) / 10} %)`
  return `${sums.passed} of ${ran}${share}${sums.skipped > 0 ? `, ${sums.skipped} not runnable` : ''}`
}

function printDetails(title: string, result: CompatResult | undefined): readonly string[] {
  const failing = Object.entries(result?.failing ?? {})
  const reasons = Object.entries(result?.notRunnable ?? {})
  if (failing.length + reasons.length === 0) return []
  return [
    `## ${title[0]?.toUpperCase()}${title.slice(1)}: what does not pass`,
    '',
    ...failing.map(([file, count]) => `- \`${file}\`: ${count} failed`),
    ...reasons.map(([reason, count]) => `- not runnable, ${count} probes: ${reason}`),
    '',
  ]
}
