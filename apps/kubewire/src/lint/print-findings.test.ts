import { expect, test } from 'vitest'
import { printFindings } from './print-findings.ts'

const one = {
  rule: 'snippet-use',
  severity: 'warning',
  object: { kind: 'Ingress', namespace: 'shop', name: 'a' },
  path: 'x',
  message: '100% raw\nhere',
} as const

test.each([
  ['text', 'warning: Ingress shop/a x: 100% raw\nhere (snippet-use)\n'],
  ['github', '::warning title=snippet-use::Ingress shop/a x: 100%25 raw%0Ahere\n'],
] as const)('%s', (format, expected) => {
  expect(printFindings([one], format)).toBe(expected)
})

test('json is the findings themselves', () => {
  expect(JSON.parse(printFindings([one], 'json'))).toEqual([one])
})

const placed = { ...one, severity: 'note', position: { file: 'a,b.yaml', line: 7 } } as const
const setAside = { ...one, suppression: { until: '2027-01-31', reason: 'goes' } } as const

test('a place comes first, and notes are notices on GitHub', () => {
  expect(printFindings([placed], 'text')).toMatch(/^a,b\.yaml:7: note: /)
  expect(printFindings([placed], 'github')).toMatch(/^::notice file=a%2Cb\.yaml,line=7,title=/)
})

test('SARIF has every rule, the place, and why a finding is set aside', () => {
  const [run] = (JSON.parse(printFindings([placed, setAside], 'sarif')) as { runs: Record<string, unknown>[] }).runs
  expect(run).toMatchObject({
    tool: {
      driver: { name: 'kubewire', rules: expect.arrayContaining([expect.objectContaining({ id: 'snippet-use' })]) },
    },
    results: [
      {
        ruleId: 'snippet-use',
        level: 'note',
        locations: [{ physicalLocation: { artifactLocation: { uri: 'a,b.yaml' }, region: { startLine: 7 } } }],
      },
      { level: 'warning', suppressions: [{ justification: 'goes' }] },
    ],
  })
})

test('JUnit has a case for each rule: failed, skipped or passed', () => {
  const text = printFindings(
    [
      { ...one, message: 'a < "b"' },
      { ...setAside, rule: 'shadowed-path' },
    ],
    'junit',
  )
  expect(text).toContain('failures="1" errors="0" skipped="1"')
  expect(text).toContain('name="snippet-use"><failure message="Ingress shop/a x: a &lt; &quot;b&quot;">')
  expect(text).toContain('name="shadowed-path"><skipped/></testcase>')
  expect(text).toContain('name="redirect-loop"/>')
})
