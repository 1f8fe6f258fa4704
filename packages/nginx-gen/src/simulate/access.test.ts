import { expect, it } from 'vitest'
import { parseConfig } from '../config/parse.ts'
import { simulateRequest } from './run.ts'

const steps = (directives: string): readonly string[] => {
  const { value } = parseConfig(
    `http { server { listen 80; location / { ${directives} proxy_pass http://192.0.2.1; } } }`,
    'nginx.conf',
  )
  const trace = simulateRequest(value, { host: 'a.example.org', path: '/', clientAddress: '192.0.2.99' })
  return trace.steps.filter(({ phase }) => phase === 'access').map(({ what }) => what)
}

it.each<[string, string, readonly string[]]>([
  [
    'who is in none of the ranges is told which',
    'allow 10.0.0.0/8; allow 192.168.0.0/16; deny all;',
    ['refused: 192.0.2.99 is in none of 10.0.0.0/8, 192.168.0.0/16'],
  ],
  ['who is denied is told why', 'deny 192.0.2.0/24; allow all;', ['refused: 192.0.2.99 is in 192.0.2.0/24']],
  ['a door that is shut for all', 'deny all;', ['refused: 192.0.2.99 is in all']],
  ['the first refusal ends the phase', 'deny all; auth_request /auth;', ['refused: 192.0.2.99 is in all']],
  [
    'with satisfy any the others are asked',
    'satisfy any; deny all; auth_request /auth;',
    ['refused: 192.0.2.99 is in all', 'unknown: the answer to /auth decides; the simulation goes on'],
  ],
])('%s', (_, directives, expected) => {
  expect(steps(directives)).toEqual(expected)
})
