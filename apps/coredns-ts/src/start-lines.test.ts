// Start lines of listeners, as an operator reads them.

import { createDnsServer, plainPorts } from '@kubewire/dns-core'
import { noSurroundings, serverPlans } from '@kubewire/dns-core/corefile'
import { snapshotOf } from '@kubewire/kube-model'
import { expect, it } from 'vitest'
import { startLines } from './start-lines.ts'

it.each([
  ['a zone and its port', '.:53 {\nwhoami\n}', ['.:53']],
  ['zones in alphabetical order', 'b.example a.example {\nwhoami\n}', ['a.example.:53', 'b.example.:53']],
  ['the scheme when it is not the usual one', 'tls://.:853 {\nwhoami\n}', ['tls://.:853']],
  [
    'every address that is bound',
    'example.org:1053 {\nbind 192.0.2.53 2001:db8::53\nwhoami\n}',
    ['example.org.:1053 on 192.0.2.53', 'example.org.:1053 on 2001:db8::53'],
  ],
  [
    'a zone that is no host name, with a warning',
    '_x.example {\nwhoami\n}',
    ['Warning: Domain "_x.example." does not follow RFC1035 preferred syntax', '_x.example.:53'],
  ],
  ['a network without one', '10.0.0.0/8 {\nwhoami\n}', ['10.in-addr.arpa.:53']],
])('tell %s', (_name, corefile, lines) => {
  const options = { fileName: 'Corefile', root: '.', defaultPort: 53, surroundings: noSurroundings }
  const server = createDnsServer(serverPlans(corefile, options).value, plainPorts({ snapshot: snapshotOf([]) }))
  expect(startLines(server).trimEnd().split('\n')).toEqual(lines)
})
