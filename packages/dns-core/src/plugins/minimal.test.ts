// What minimal leaves of a reply that has an OPT record of its own, as those of upstreams do.

import { expect, it } from 'vitest'
import { queryOf } from '../query.ts'
import { addressRecord } from '../record.ts'
import { rcode, rrType } from '../record-types.ts'
import { emptyReply } from '../reply.ts'
import { testServer } from '../testing/ask-corefile.ts'

const query = queryOf('a.example.', rrType.A)

it.each([
  ['drops it from a positive answer', rcode.NOERROR, undefined],
  ['keeps it in a failure', rcode.SERVFAIL, []],
] as const)('%s', async (_name, code, options) => {
  const answer = [addressRecord('a.example.', 5, '192.0.2.1')]
  const reply = { ...emptyReply, rcode: code, answer, ednsOptions: [], saysDnssecOk: true, ednsSize: 1232 }
  const server = testServer('.:53 {\nminimal\nforward . 192.0.2.53\n}', {
    ports: { exchange: (_upstream, question) => Promise.resolve({ kind: 'reply', reply, question }) },
  })
  const outcome = await server.listeners[0]?.answer(query)
  expect(outcome?.kind === 'reply' ? outcome.reply.ednsOptions : 'no reply').toEqual(options)
})
