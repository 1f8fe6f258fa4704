import { parseManifests } from '@kubewire/kube-model/manifest'
import { expect, it, test } from 'vitest'
import { type FindingsFormat, printFindings } from './print-findings.ts'
import { unreadFindings } from './unread-findings.ts'

test.each<[FindingsFormat, RegExp]>([
  ['junit', /failures="1".*name="unreadable-input"><failure message="a\.yaml:1: File a\.yaml: expected YAML/s],
  ['github', /^::error file=a\.yaml,line=1,title=unreadable-input::/],
  ['sarif', /"ruleId": "unreadable-input",\s*"level": "error"/],
  ['json', /"rule": "unreadable-input"/],
])('a file that does not parse is an error in %s', (format, expected) => {
  const findings = unreadFindings(parseManifests('{', 'a.yaml').problems)
  expect(printFindings(findings, format)).toMatch(expected)
})

it('names what is refused, and fields that mean nothing, as rules would', () => {
  const problem = { object: { kind: 'Service', name: 'tea' }, path: '', message: 'm', fallback: 'f' } as const
  const findings = unreadFindings([
    { ...problem, code: 'CLI_REFUSED', severity: 'error' },
    { ...problem, code: 'CLI_UNKNOWN_FIELD', severity: 'warning' },
    { ...problem, code: 'CLI_ASSUMED_ADDRESS', severity: 'warning' },
  ])
  expect(findings.map(({ rule, severity }) => [rule, severity])).toEqual([
    ['object-refused', 'error'],
    ['unknown-field', 'warning'],
  ])
})
