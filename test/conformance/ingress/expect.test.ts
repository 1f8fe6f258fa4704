import { type ExpectSpec, fits, holds } from '@kubewire/nginx-gen/cases'
import { describe, expect, it } from 'vitest'
import type { Answer } from './client.ts'
import { complaintsOf } from './expect.ts'

const echo = { backend: 'tea', method: 'GET', path: '/a', headers: { host: 'a.example', 'x-real-ip': '127.0.0.1' } }
const answer = (more: Partial<Answer> = {}): Answer => ({
  status: 200,
  headers: { server: 'nginx/1.22.1', location: 'https://a.example/' },
  cookies: ['C=1; Path=/; HttpOnly; Max-Age=5'],
  body: JSON.stringify(echo),
  httpVersion: '1.1',
  tlsSubject: 'O=Acme, CN=a.example',
  ...more,
})

const complaints = (spec: ExpectSpec, answers: readonly Answer[] = [answer()]): readonly string[] =>
  complaintsOf(spec, { answers, seen: new Map([['tea', [{ ...echo, body: 'x' }]]]), certificates: new Map() })

describe('each key of an expectation passes what is right and fails what is wrong', () => {
  const rows: readonly (readonly [key: string, right: ExpectSpec, wrong: ExpectSpec])[] = [
    ['status', { status: 200 }, { status: 404 }],
    ['status, several', { status: [200, 204] }, { status: [404, 503] }],
    ['status, expression', { status: '/^(200|503)$/' }, { status: '/^(404|503)$/' }],
    ['notStatus', { notStatus: [500] }, { notStatus: [200] }],
    ['backend', { backend: 'tea' }, { backend: 'milk' }],
    ['location', { location: 'https://a.example/' }, { location: 'https://a.example' }],
    ['responseHeaders', { responseHeaders: { Server: '/nginx/' } }, { responseHeaders: { Server: 'x' } }],
    [
      'the version of nginx',
      { responseHeaders: { Server: 'nginx/1.27.1' } },
      { responseHeaders: { Server: 'apache/1.22.1' } },
    ],
    ['absentHeaders', { absentHeaders: ['X-None'] }, { absentHeaders: ['Location'] }],
    ['upstream path', { upstream: { path: '/a' } }, { upstream: { path: '/a/' } }],
    ['upstream headers', { upstream: { headers: { Host: 'a.example' } } }, { upstream: { headers: { Host: 'b' } } }],
    ['upstream absentHeaders', { upstream: { absentHeaders: ['x-none'] } }, { upstream: { absentHeaders: ['host'] } }],
    ['upstreamLacks', { upstreamLacks: { host: 'evil' } }, { upstreamLacks: { host: 'example' } }],
    ['seen', { seen: [{ backend: 'tea', path: '/a', body: 'x' }] }, { seen: [{ backend: 'tea', bodyEmpty: true }] }],
    ['notSeen', { notSeen: ['milk'] }, { notSeen: ['tea'] }],
    ['distribution', { distribution: { tea: [1, 1] } }, { distribution: { tea: [2, 5] } }],
    ['statuses', { statuses: { 200: [1, 1] } }, { statuses: { 503: [1, 1] } }],
    [
      'setCookie',
      { setCookie: [{ name: 'C', maxAge: 5, httpOnly: true, absent: ['Secure'] }] },
      { setCookie: [{ name: 'C', secure: true }] },
    ],
    ['tlsSubject', { tlsSubject: 'CN=a.example' }, { tlsSubject: '/Fake/' }],
    ['httpVersion', { httpVersion: '1.1' }, { httpVersion: '2' }],
    ['bodyLacks', { bodyLacks: 'secret' }, { bodyLacks: 'tea' }],
    ['locationLacks', { locationLacks: 'evil' }, { locationLacks: 'a.example' }],
  ]
  it.each(rows)('%s', (_, right, wrong) => {
    expect(complaints(right)).toEqual([])
    expect(complaints(wrong)).not.toEqual([])
  })

  it('sameBackend looks at all repetitions', () => {
    const other = answer({ body: JSON.stringify({ ...echo, backend: 'milk' }) })
    expect(complaints({ sameBackend: true }, [answer(), answer()])).toEqual([])
    expect(complaints({ sameBackend: true }, [answer(), other])).not.toEqual([])
  })

  it('a connection that failed fits nothing', () => {
    expect(complaints({ status: 200 }, [answer({ status: undefined, error: 'reset' })])).not.toEqual([])
  })
})

describe('texts between slashes', () => {
  it('are paths where they could be one, else expressions', () => {
    expect(fits('/img/', '/img/x')).toBe(false)
    expect(fits('/img/', '/img/')).toBe(true)
    expect(fits('/^https:/', 'https://x')).toBe(true)
    expect(holds('/parse/', 'cannot parse this')).toBe(true)
  })
})
