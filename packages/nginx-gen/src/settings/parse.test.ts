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

  it('ignore keys that nobody knows, also those of objects', () => {
    expect(parseSettings({ nonsense: 'x', constructor: 'x', __proto__: 'x' }).problems).toEqual([])
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
    expect(value['whitelist-source-range']).toEqual(['255.255.255.255'])
    expect(value['block-cidrs']).toEqual(['192.0.2.0/24'])
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
