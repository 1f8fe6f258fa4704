// Which address comes first under weights, and which files of weights are refused.

import { describe, expect, it } from 'vitest'
import { askServer, testServer } from '../testing/ask-corefile.ts'

const lines = 'loadbalance weighted weights\nhosts {\n192.0.2.1 a.example\n192.0.2.2 a.example\n192.0.2.3 a.example\n}'
const weights = '# two of three\na.example\n192.0.2.1 3\n192.0.2.2 6\n'

function serverOf(text: string, draw = 0): ReturnType<typeof testServer> {
  return testServer(`.:53 {\n${lines}\n}`, { files: { '/etc/weights': text }, ports: { random: () => draw } })
}

describe('loadbalance weighted', () => {
  it.each([
    [0, '192.0.2.1 192.0.2.2 192.0.2.3'],
    [0.29, '192.0.2.1 192.0.2.2 192.0.2.3'],
    [0.3, '192.0.2.2 192.0.2.1 192.0.2.3'],
    [0.89, '192.0.2.2 192.0.2.1 192.0.2.3'],
    // An address that the file does not name weighs one.
    [0.95, '192.0.2.3 192.0.2.1 192.0.2.2'],
  ])('with a draw of %s answers in the order %s', async (draw, expected) => {
    const reply = await askServer(serverOf(weights, draw), 'a.example. A')
    expect([...reply.matchAll(/192\.0\.2\.[0-9]/g)].join(' ')).toBe(expected)
  })

  it('leaves names alone that the file does not have', async () => {
    const reply = await askServer(serverOf('b.example\n192.0.2.3 9\n', 0.99), 'a.example. A')
    expect([...reply.matchAll(/192\.0\.2\.[0-9]/g)].join(' ')).toBe('192.0.2.1 192.0.2.2 192.0.2.3')
  })

  it.each([
    ['an address before any name', '192.0.2.1 3', 'missing domain name in weight file /etc/weights'],
    ['half an address', 'a.example\n192.0.2 3', 'wrong IP address:"192.0.2" in weight file /etc/weights'],
    ['a weight of nothing', 'a.example\n192.0.2.1 0', 'wrong weight value:"0" in weight file /etc/weights'],
    ['a weight over a byte', 'a.example\n192.0.2.1 256', 'wrong weight value:"256" in weight file /etc/weights'],
    [
      'a third word',
      'a.example\n192.0.2.1 2 3',
      'could not parse weight line:"192.0.2.1 2 3" in weight file /etc/weights',
    ],
  ])('keeps the server from starting with %s', (_name, text, expected) => {
    const plugins = serverOf(text).blocks.flatMap((block) => block.plugins)
    expect(plugins.find(({ name }) => name === 'loadbalance')?.plugin.startError).toBe(expected)
  })
})
