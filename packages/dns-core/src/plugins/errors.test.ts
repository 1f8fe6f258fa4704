// One line for many failures.

import { expect, it } from 'vitest'
import { askServer, testServer } from '../testing/ask-corefile.ts'

it('names the pattern of a summary as it stands in the Corefile', async () => {
  const lines: string[] = []
  const delayed: (() => void)[] = []
  const server = testServer(
    '.:53 {\nerrors {\n consolidate 5m ".*/any: no (?P<what>next) plugin found$" warning\n}\nany\n}',
    {
      ports: {
        log: (level, line) => void lines.push(`${level} ${line}`),
        schedule: (_delayMs, callback) => {
          delayed.push(callback)
          return () => {}
        },
      },
    },
  )
  await askServer(server, 'a.example. A')
  await askServer(server, 'b.example. A')
  for (const callback of delayed.splice(0)) callback()
  expect(lines.filter((line) => !line.startsWith('debug'))).toEqual([
    "warning plugin/errors: 2 errors like '.*/any: no (?P<what>next) plugin found$' occurred in last 5m0s",
  ])
})

it('tells a failure of which rewrite made a reply, with the code of success', async () => {
  const lines: string[] = []
  const corefile = '.:53 {\nerrors\nrewrite name a.example b.example\nany\n}'
  const server = testServer(corefile, { ports: { log: (level, line) => void lines.push(`${level} ${line}`) } })
  expect(await askServer(server, 'a.example. A')).toBe('SERVFAIL')
  expect(lines).toEqual(['error plugin/errors: 0 b.example. A: plugin/rewrite: no next plugin found'])
})
