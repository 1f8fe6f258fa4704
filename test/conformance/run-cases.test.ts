// The runner proves itself on a small area whose cases add numbers: what is wrong must come out as failed.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Area, ProbeResult, RunOptions } from './area.ts'
import { parseConformanceArguments } from './arguments.ts'
import { casesBelow } from './find-cases.ts'
import { compareWithKnown } from './known-failures.ts'
import { buildReport, printReport } from './report.ts'
import { runCases } from './run-cases.ts'

const options: RunOptions = { target: 'ours', api: 'mini', via: 'library', settings: {}, progress: () => {} }

/** Cases of this area: `sums` is a list of `{ add: [n, n], expect: n }`. */
const addition: Area = {
  name: 'dns',
  suites: [],
  claims: (data) => 'sums' in data,
  unknownKeys: ({ data }) => Object.keys(data).filter((key) => !['sums', 'hangs', 'breaks'].includes(key)),
  async open() {
    return {
      async runCase({ data }) {
        if (data['breaks'] === true) throw new Error('the adder broke')
        if (data['hangs'] === true) await new Promise(() => {})
        const sums = data['sums'] as { add: number[]; expect: number }[]
        return sums.map(({ add, expect: wanted }, at): ProbeResult => {
          const sum = add.reduce((a, b) => a + b, 0)
          return sum === wanted
            ? { probe: `sums[${at}]`, outcome: 'passed' }
            : { probe: `sums[${at}]`, outcome: 'failed', detail: `wanted ${wanted}, found ${sum}` }
        })
      },
      async close() {},
    }
  },
}

const dir = mkdtempSync(join(tmpdir(), 'conformance-'))
afterAll(() => rmSync(dir, { recursive: true }))

async function outcomesOf(files: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const folder = mkdtempSync(join(dir, 'cases-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const results = await runCases(addition, casesBelow(folder), { ...options, caseLimitMs: 50 })
  return Object.fromEntries(
    results.flatMap(({ name, probes }) =>
      probes.map(({ probe, outcome, detail }) => [`${name} ${probe}`, detail ? `${outcome}: ${detail}` : outcome]),
    ),
  )
}

describe('a run of cases', () => {
  it('a right expectation passes and a deliberately wrong one fails with both values', async () => {
    expect(await outcomesOf({ 'a.yaml': 'sums: [{add: [1, 2], expect: 3}, {add: [1, 2], expect: 4}]' })).toEqual({
      'a sums[0]': 'passed',
      'a sums[1]': 'failed: wanted 4, found 3',
    })
  })

  it('a file with an unknown key fails and names the key, whatever else it holds', async () => {
    expect(await outcomesOf({ 'a.yaml': 'sums: [{add: [1], expect: 1}]\nsumz: []' })).toEqual({
      'a keys': 'failed: unknown keys: sumz',
    })
  })

  it('a file of no area fails instead of being passed over', async () => {
    expect(await outcomesOf({ 'a.yaml': 'products: []' })).toEqual({
      'a keys': 'failed: not a case of dns: its keys are products',
    })
  })

  it('a file that is no YAML, or holds no probe, fails', async () => {
    const outcomes = await outcomesOf({ 'a.yaml': 'sums: [', 'b.yaml': 'sums: []', 'c.yaml': 'sums: 1\nsums: 2' })
    expect(Object.keys(outcomes).sort()).toEqual(['a file', 'b case', 'c file'])
    expect(Object.values(outcomes).every((outcome) => outcome.startsWith('failed'))).toBe(true)
  })

  it('a case that throws or never ends fails, and the next one still runs', async () => {
    const outcomes = await outcomesOf({
      'a.yaml': 'breaks: true\nsums: []',
      'b.yaml': 'hangs: true\nsums: []',
      'c.yaml': 'sums: [{add: [], expect: 0}]',
    })
    expect(outcomes['a case']).toContain('the adder broke')
    expect(outcomes['b case']).toBe('failed: no end after 50 ms')
    expect(outcomes['c sums[0]']).toBe('passed')
  })

  it('subfolders are suites, files beside them belong to the folder itself, a README is not needed', () => {
    const folder = mkdtempSync(join(dir, 'suites-'))
    mkdirSync(join(folder, 'more'))
    writeFileSync(join(folder, 'a.yaml'), 'sums: []')
    writeFileSync(join(folder, 'more/b.yaml'), 'sums: []')
    writeFileSync(join(folder, 'more/README.md'), '# not a case')
    const suites = casesBelow(folder).cases.map(({ suite, name }) => `${suite} ${name}`)
    expect(suites).toEqual([`${folder.split('/').at(-1)} a`, 'more b'])
  })
})

describe('the report', () => {
  const report = buildReport([
    { suite: 'dns', name: 'a', probes: [{ probe: 'p', outcome: 'passed' }] },
    { suite: 'dns', name: 'b', probes: [{ probe: 'q', outcome: 'skipped', detail: 'needs a clock' }] },
    { suite: 'field/dns', name: 'c', probes: [{ probe: 'r', outcome: 'failed', detail: 'wanted 1, found 2' }] },
  ])

  it('counts probes per suite, names what was not runnable and ends with the sums', () => {
    expect(printReport(report).split('\n')).toEqual([
      'suite      files  passed  failed  skipped',
      'dns            2       1       0        1',
      'field/dns      1       0       1        0',
      'not runnable, 1 of them: needs a clock',
      '  dns/b: q',
      '1 passed, 1 failed, 1 skipped',
      '',
    ])
  })
})

describe('the list of known failures', () => {
  const known = new Set(['dns/a: p', 'dns/a: q', 'dns/ab: p'])

  it('a listed failure is no news', () => {
    const probes: ProbeResult[] = [
      { probe: 'p', outcome: 'failed' },
      { probe: 'q', outcome: 'failed' },
    ]
    expect(compareWithKnown('dns/a', probes, known)).toEqual({ news: [], stillFailing: 2 })
  })

  it('a failure that is not listed is news, and so is a listed probe that passes or is gone', () => {
    const probes: ProbeResult[] = [
      { probe: 'p', outcome: 'passed' },
      { probe: 'x', outcome: 'failed', detail: 'why' },
    ]
    const { news } = compareWithKnown('dns/a', probes, known)
    expect(news.map((line) => line.split('\n')[0])).toEqual(['dns/a: x', 'dns/a: p', 'dns/a: q'])
  })
})

describe('the command line', () => {
  it.each([
    ['an unknown area', ['dnz'], /expected one of api, dns/],
    ['an unknown target', ['dns', '--target', 'theirs'], /--target: expected one of ours, original/],
    ['a setting without a value', ['dns', '--set', 'fast'], /--set: expected KEY=VALUE/],
    ['an unknown option', ['dns', '--fast'], /fast/],
  ])('%s is refused', (_, words, message) => {
    expect(() => parseConformanceArguments(words, '/')).toThrow(message)
  })

  it('without an area all run, and relative folders start where the user is', () => {
    expect(parseConformanceArguments(['--cases', 'mine'], '/home')).toMatchObject({
      areas: ['api', 'dns', 'proxy', 'ingress'],
      cases: '/home/mine',
      via: 'real',
    })
  })
})
