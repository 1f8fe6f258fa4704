import { expect, test } from 'vitest'
import { highPortCorefile } from './corefile.ts'

test('every listener moves to loopback, each to a port of its own', () => {
  const text =
    '.:53 {\n  bind 10.244.1.53\n  health 10.244.1.53:8080\n  ready 10.244.1.53:8181\n  prometheus 10.244.1.53:9153\n}\n'
  expect(highPortCorefile(text, 10_053)).toBe(
    '.:10053 {\n  bind 127.0.0.1\n  health 127.0.0.1:10054\n  ready 127.0.0.1:10055\n  prometheus 127.0.0.1:10056\n}\n',
  )
})
