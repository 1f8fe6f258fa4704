import { describe, expect, it } from 'vitest'
import { readCase } from './read-case.ts'

const read = (text: string): string => {
  const result = readCase('a.yaml', text)
  return 'faults' in result ? result.faults.join('\n') : `${result.area.name} ${result.manifests.join()}`.trim()
}

describe('a scenario file is', () => {
  it.each<[string, string, string | RegExp]>([
    ['of dns by its questions', 'queries: [{q: tea.shop A, expect: {}}]', 'dns'],
    ['of proxy by its node', 'config: {nodeName: a}\nflows: []', 'proxy'],
    ['of ingress by its requests', 'cluster: []\nrequests: [{host: a}]', 'ingress'],
    ['of ingress with manifests alone, too', 'manifests: [../k8s]\nrequests: [{host: a}]', 'ingress ../k8s'],
    [
      'refused for a misspelt key, with its line and the keys that would do',
      'queries:\n  - q: tea.shop A\n    expect:\n      rcod: NOERROR\n',
      /^a\.yaml:4: queries\[0\]\.expect\.rcod: expected one of rcode, aa, .*, found "rcod"$/,
    ],
    [
      'refused once for each misspelt key',
      'quieries: 1\nqueries: [{q: a, exspect: 1}]',
      /a\.yaml:1: quieries.*\na\.yaml:2: queries\[0\]\.exspect/,
    ],
    ['refused when nobody knows it', 'products: [tea]', /^a\.yaml:1: expected queries \(dns\), .* found products$/],
    ['refused when it is no mapping', '- a', 'a.yaml:1: expected a mapping of keys'],
    ['refused when it is no YAML, with the line', 'a: [\n', /^a\.yaml:2: expected YAML: /],
    [
      'refused when its manifests are no list of paths',
      'manifests: x\nqueries: [{q: a}]',
      'a.yaml:1: manifests: expected a list of files and folders',
    ],
  ])('%s', (_, text, wanted) => {
    if (typeof wanted === 'string') expect(read(text)).toBe(wanted)
    else expect(read(text)).toMatch(wanted)
  })
})
