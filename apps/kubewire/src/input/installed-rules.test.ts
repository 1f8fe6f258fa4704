import { expect, test } from 'vitest'
import { InputError } from '../exit-code.ts'
import { readInstalledRules } from './installed-rules.ts'

const nat = (rule: string): string => `*nat\n:PREROUTING ACCEPT [0:0]\n${rule}\nCOMMIT\n`

test.each([
  ['', /rules\.txt: expected what iptables-save prints.*found nothing$/],
  ['\n\n', /found nothing$/],
  ['{"a": 1}\n', /found "\{/],
  ['*nat\n:KUBE-SERVICES - [0:0]\nCOMMIT\n', /input of iptables-restore; `kubewire proxy render -o save`/],
])('%j is refused', (text, message) => {
  expect(() => readInstalledRules(text, 4, 'rules.txt')).toThrow(InputError)
  expect(() => readInstalledRules(text, 4, 'rules.txt')).toThrow(message)
})

test('of two families the asked one is read', () => {
  const text = `# IPv4\n${nat('-A PREROUTING -d 10.96.0.1/32 -j ACCEPT')}# IPv6\n${nat('-A PREROUTING -j DROP')}`
  const countOf = (family: 4 | 6): unknown =>
    readInstalledRules(text, family, 'x').value.tables.nat?.get('PREROUTING')?.rules[0]?.matches?.length
  expect([countOf(4), countOf(6)]).toEqual([1, 0])
})
