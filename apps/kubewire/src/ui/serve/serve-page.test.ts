import { describe, expect, test } from 'vitest'
import { refusal } from './serve-page.ts'

describe('who may read the page', () => {
  const host = '127.0.0.1:8080'
  test.each([
    ['a browser that names the address', 'GET', { host }, undefined],
    ['a browser that names localhost, on a forwarded port', 'GET', { host: 'localhost:9000' }, undefined],
    ['IPv6 loopback', 'HEAD', { host: '[::1]:8080' }, undefined],
    ['the page itself', 'GET', { host, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }, undefined],
    [
      'a link on another site',
      'GET',
      { host, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
      undefined,
    ],
    ['a name that was made to point here', 'GET', { host: 'attacker.example.org:8080' }, 403],
    ['a name that only begins like ours', 'GET', { host: 'localhost.example.org' }, 403],
    ['no name at all', 'GET', {}, 403],
    ['a script of another site', 'GET', { host, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }, 403],
    [
      'a script of another port of this machine',
      'GET',
      { host, 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' },
      403,
    ],
    ['whoever wants to write', 'POST', { host }, 405],
  ])('%s', (_, method, headers, status) => {
    expect(refusal({ method, headers })?.status).toBe(status)
  })
})
