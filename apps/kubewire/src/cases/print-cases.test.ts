import { expect, it } from 'vitest'
import { type CaseResult, printCases } from './print-cases.ts'

const results: readonly CaseResult[] = [
  {
    path: 'tests/tea.yaml',
    about: 'tea is\nreached',
    durationMs: 12,
    probes: [
      { probe: 'queries[0] tea A', outcome: 'passed' },
      { probe: 'queries[1] <tee> A', outcome: 'failed', detail: 'expected a & b\nfound none' },
      { probe: 'requests[0] #1', outcome: 'skipped', detail: 'needs\nnginx' },
    ],
  },
]

it('TAP numbers every probe, escapes names and gives the reason of a failure as YAML', () => {
  expect(printCases(results, 'tap')).toBe(`TAP version 14
1..3
# tests/tea.yaml: tea is reached
ok 1 - tests/tea.yaml: queries[0] tea A
not ok 2 - tests/tea.yaml: queries[1] <tee> A
  ---
  message: |
    expected a & b
    found none
  ...
ok 3 - tests/tea.yaml: requests[0] \\#1 # SKIP needs nginx
# 1 passed, 1 failed, 1 skipped
`)
})

it('JUnit has a suite for each file and escapes what XML does not take', () => {
  expect(printCases(results, 'junit')).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="kubewire test" tests="3" failures="1" errors="0" skipped="1">
<testsuite name="tests/tea.yaml" tests="3" failures="1" errors="0" skipped="1" time="0.012">
<testcase classname="tests/tea.yaml" name="queries[0] tea A"/>
<testcase classname="tests/tea.yaml" name="queries[1] &lt;tee&gt; A"><failure message="expected a &amp; b">expected a &amp; b
found none</failure></testcase>
<testcase classname="tests/tea.yaml" name="requests[0] #1"><skipped message="needs
nginx"/></testcase>
</testsuite>
</testsuites>
`)
})

it('JSON holds the results and their sums', () => {
  expect(JSON.parse(printCases(results, 'json'))).toEqual({
    files: results,
    total: { passed: 1, failed: 1, skipped: 1 },
  })
})
