// Texts of failed exchanges, by what happened and when.

import { expect, it } from 'vitest'
import { exchangeErrorText, timeoutText } from './exchange-error.ts'

const local = { address: '192.0.2.1', port: 40000 }
const remote = '192.0.2.53:53'
const refused = Object.assign(new Error('recvmsg ECONNREFUSED'), { code: 'ECONNREFUSED' })

it.each([
  [
    'a reply that does not come',
    timeoutText({ network: 'udp', local, remote }),
    'read udp 192.0.2.1:40000->192.0.2.53:53: i/o timeout',
  ],
  [
    'a connection that does not come',
    timeoutText({ network: 'tcp', local: undefined, remote }),
    'dial tcp 192.0.2.53:53: i/o timeout',
  ],
  [
    'a port where nobody listens',
    exchangeErrorText(refused, { network: 'udp', local, remote }),
    'read udp 192.0.2.1:40000->192.0.2.53:53: read: connection refused',
  ],
  [
    'a refused connection',
    exchangeErrorText(refused, { network: 'tcp', local: undefined, remote }),
    'dial tcp 192.0.2.53:53: connect: connection refused',
  ],
  [
    'addresses of IPv6',
    timeoutText({ network: 'udp', local: { address: '2001:db8::1', port: 1 }, remote: '[2001:db8::53]:53' }),
    'read udp [2001:db8::1]:1->[2001:db8::53]:53: i/o timeout',
  ],
  [
    'anything else',
    exchangeErrorText(new Error('bad certificate'), { network: 'tcp', local, remote }),
    'bad certificate',
  ],
])('%s', (_name, text, expected) => {
  expect(text).toBe(expected)
})
