import { parseManifests } from '@kubewire/kube-model/manifest'
import { expect, test } from 'vitest'
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
