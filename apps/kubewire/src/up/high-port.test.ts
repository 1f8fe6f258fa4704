import { expect, test } from 'vitest'
import { findHighPorts, highPortWords } from './high-port.ts'

const ports = {
  dns: 10_053,
  http: 10_057,
  https: 10_058,
  ingressHealth: 10_059,
  ingressDefault: 10_060,
  endpoints: 10_073,
}

test.each([
  [
    'a name server',
    ['+short', '@10.96.0.10', 'tea.shop.svc.cluster.local'],
    ['+short', '@127.0.0.1', '-p', '10053', 'tea.shop.svc.cluster.local'],
  ],
  [
    'HTTPS at the address of the load balancer',
    ['--resolve', 'shop.example.org:443:203.0.113.10', 'https://shop.example.org/'],
    ['--connect-to', 'shop.example.org:443:127.0.0.1:10058', 'https://shop.example.org/'],
  ],
  ['HTTP', ['--resolve', 'a.example.org:80:203.0.113.10'], ['--connect-to', 'a.example.org:80:127.0.0.1:10057']],
])('%s is asked at a high port', (_name, words, expected) => {
  expect(highPortWords(words, ports)).toEqual(expected)
})

test('the ports found are in a row', async () => {
  const found = await findHighPorts()
  expect(found.endpoints - found.dns).toBe(20)
})
