// The areas of settings: each adds its keys to the registry, reads good values, and keeps its default for bad ones.

import { describe, expect, it } from 'vitest'
import { authSettings } from './auth.ts'
import { compressionSettings } from './compression.ts'
import type { Setting } from './define.ts'
import { extraSettings } from './extras.ts'
import { headerSettings } from './headers.ts'
import { loggingSettings } from './logging.ts'
import { defaultSettings, parseSettings } from './parse.ts'
import { proxySettings } from './proxy.ts'
import { type Settings, settings } from './registry.ts'
import { securitySettings } from './security.ts'
import { tlsSettings } from './tls.ts'
import { workerSettings } from './workers.ts'

/** Area, its keys, one of them with a value that counts and what is read, and a value that does not count. */
const areas: readonly (readonly [string, object, keyof Settings, string, unknown, string])[] = [
  ['auth', authSettings, 'global-auth-method', 'HEAD', 'HEAD', 'HEAD; evil on'],
  ['compression', compressionSettings, 'gzip-level', ' 5 ', 5, 'five'],
  ['extras', extraSettings, 'enable-opentelemetry', 'false', false, 'no'],
  ['headers', headerSettings, 'server-tokens', 'true', true, 'on'],
  ['logging', loggingSettings, 'disable-access-log', 'true', true, 'on'],
  ['proxy', proxySettings, 'proxy-body-size', '8m', '8m', '8m; return 299'],
  ['security', securitySettings, 'allow-snippet-annotations', 'true', true, 'maybe'],
  ['tls', tlsSettings, 'ssl-protocols', 'TLSv1.3', 'TLSv1.3', 'TLSv1.3 {'],
  ['workers', workerSettings, 'keep-alive', '33', 33, '33s'],
]

describe.each(areas)('the area %s', (_, area, key, text, value, bad) => {
  it('is in the registry with all its keys, each with a summary and what it expects', () => {
    expect(Object.keys(area)).toContain(key)
    for (const [name, setting] of Object.entries(area) as [keyof Settings, Setting<unknown>][]) {
      expect(settings[name], name).toBe(setting)
      expect(setting.summary, name).not.toBe('')
      expect(setting.value.expected, name).not.toBe('')
    }
  })

  it(`reads ${key}: ${text}`, () => {
    expect(parseSettings({ [key]: text })).toEqual({ value: { ...defaultSettings, [key]: value }, problems: [] })
  })

  it(`keeps the default of ${key} when it is ${bad}, and says so`, () => {
    const { value: read, problems } = parseSettings({ [key]: bad })
    expect(read).toEqual(defaultSettings)
    expect(problems.map(({ code }) => code)).toEqual(['NGX_SETTING_VALUE'])
  })
})
