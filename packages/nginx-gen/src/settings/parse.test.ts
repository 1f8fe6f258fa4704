import { describe, expect, it } from 'vitest'
import { printConfig } from '../config/print.ts'
import { renderSettingsOf } from '../render/settings.ts'
import { defaultSettings, parseSettings } from './parse.ts'
import { settings } from './registry.ts'

describe('settings of the main ConfigMap', () => {
  it('know all 194 keys of the original', () => {
    expect(Object.keys(settings)).toHaveLength(194)
  })

  it('are the defaults without a ConfigMap', () => {
    expect(parseSettings(undefined)).toEqual({ value: defaultSettings, problems: [] })
  })

  it('change nothing for keys that nobody knows, also those of objects, and say which was meant', () => {
    const { value, problems } = parseSettings({ nonsense: 'x', constructor: 'x', 'proxy-body-sise': '8m' })
    expect(value).toEqual(defaultSettings)
    expect(problems.map(({ code, message }) => [code, message])).toEqual([
      ['NGX_SETTING_UNKNOWN', 'expected a key of ingress-nginx, got "constructor"'],
      ['NGX_SETTING_UNKNOWN', 'expected a key of ingress-nginx, got "nonsense"'],
      ['NGX_SETTING_UNKNOWN', 'expected a key of ingress-nginx, got "proxy-body-sise", did you mean proxy-body-size?'],
    ])
  })

  const bad: readonly (readonly [string, string, string])[] = [
    ['use-gzip', 'yes', 'a flag that is none'],
    ['keep-alive', '75s', 'a number with a unit'],
    ['ssl-protocols', 'TLSv1.2; return 299', 'a directive in a list'],
    ['worker-processes', 'many', 'a word for a number'],
    ['http-redirect-code', '303', 'a status that is not admitted'],
    ['global-auth-method', 'GETX', 'a method that is none'],
    ['log-format-stream', 'a$', 'a dollar without a name'],
  ]
  it.each(bad)('%s: %s (%s) leaves the default with a warning', (key, value) => {
    const parsed = parseSettings({ [key]: value })
    expect(parsed.value).toEqual(defaultSettings)
    expect(parsed.problems).toHaveLength(1)
  })

  it('keep an allow list closed of which nothing parses, and the good part of any list', () => {
    const { value } = parseSettings({ 'whitelist-source-range': 'bad', 'block-cidrs': '192.0.2.0/24, bad' })
    expect(value['whitelist-source-range']).toEqual(['0.0.0.0/32'])
    expect(value['block-cidrs']).toEqual(['192.0.2.0/24'])
  })

  it('on and off of buffering may be written in either case', () => {
    const { value, problems } = parseSettings({ 'proxy-buffering': 'On', 'proxy-request-buffering': 'OFF' })
    expect([value['proxy-buffering'], value['proxy-request-buffering'], problems]).toEqual(['on', 'off', []])
  })

  it('an empty flag is false, also where true is the default', () => {
    const { value, problems } = parseSettings({ hsts: '', 'ssl-redirect': ' ' })
    expect([value.hsts, value['ssl-redirect'], problems]).toEqual([false, false, []])
  })

  it.each([
    ['custom-http-errors', '404, 200, abc, 503, 404', [404, 503]],
    ['hide-headers', 'X-A, a b', ['X-A']],
    ['bind-address', '192.0.2.1, here', ['192.0.2.1']],
    [
      'lua-shared-dicts',
      'mine: 3, other: 512k, big: 201m, bad',
      [
        { name: 'mine', size: '3m' },
        { name: 'other', size: '512k' },
      ],
    ],
    ['annotations-risk-level', 'Huge', 'Low'],
  ] as const)('%s: %s holds in part, with a warning', (key, text, good) => {
    const { value, problems } = parseSettings({ [key]: text })
    expect(value[key]).toEqual(good)
    expect(problems.map(({ code }) => code)).toEqual(['NGX_SETTING_VALUE'])
  })

  it('report keys of modules that are not there', () => {
    expect(parseSettings({ 'enable-brotli': 'true' }).problems[0]?.code).toBe('NGX_SETTING_UNAVAILABLE')
  })

  it.each([
    ['keep-alive', '33', 'http', 'keepalive_timeout 33s;'],
    ['worker-processes', '3', 'main', 'worker_processes 3;'],
    ['max-worker-connections', '2048', 'events', 'worker_connections 2048;'],
    ['ssl-session-tickets', 'true', 'http', 'ssl_session_tickets on;'],
    ['hide-headers', 'X-A, X-B', 'http', 'proxy_hide_header X-A;\nproxy_hide_header X-B;'],
    ['grpc-buffer-size-kb', '8', 'http', 'grpc_buffer_size 8k;'],
    ['server-tokens', 'true', 'http', 'server_tokens on;'],
  ] as const)('%s = %s becomes a directive of %s', (key, value, place, text) => {
    expect(printConfig(renderSettingsOf(place, parseSettings({ [key]: value }).value))).toContain(text)
  })
})
