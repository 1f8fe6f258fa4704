import { queryOf } from '@kubewire/dns-core'
import { emptySnapshot } from '@kubewire/kube-model'
import { expect, test } from 'vitest'
import { askName } from '../ask/ask-name.ts'
import { plainListener, startClusterDns } from '../input/cluster-dns.ts'
import { blockHints } from './block-hints.ts'

const corefile = `.:53 {
  hosts {
    192.0.2.9 db.example.org
    fallthrough
  }
  rewrite name old.example.org new.example.net
  forward . 192.0.2.53
}
example.org:53 {
  hosts {
    192.0.2.1 www.example.org
  }
}
`

async function hintsFor(name: string): Promise<readonly (string | undefined)[]> {
  const { server } = startClusterDns(emptySnapshot, { text: corefile, fileName: 'Corefile' })
  const listener = plainListener(server)
  const { tried } = await askName(listener, emptySnapshot, { name, type: 'A', client: '' })
  const explanation = tried[0]?.explanation
  if (explanation === undefined) throw new Error('nothing was asked')
  const hints = await blockHints(listener, emptySnapshot, queryOf(`${name}.`, 1), explanation)
  server.close()
  return [explanation.where, ...hints.map(({ what }) => what)]
}

const shadowed = (rules: string): string =>
  `the block .:53 has rules for this name (${rules}), but example.org.:53 is the longer zone and is asked alone`

test.each([
  [
    'records of the root block',
    'db.example.org',
    ['example.org.:53', shadowed('→ NOERROR, db.example.org. 3600 IN A 192.0.2.9')],
  ],
  [
    'a rewrite of the root block',
    'old.example.org',
    ['example.org.:53', shadowed('→ question A old.example.org. → A new.example.net.')],
  ],
  ['nothing that the root block only forwards', 'www.example.org', ['example.org.:53']],
  ['nothing of a longer zone that does not hold the name', 'www.example.com', ['.:53']],
])('tells of %s', async (_, name, expected) => {
  expect(await hintsFor(name)).toEqual(expected)
})
