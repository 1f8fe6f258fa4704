// Keys of compression. Brotli is not among the modules we load: its keys are known and reported.

import { flag, integer, integerFrom } from '../annotations/values.ts'
import { directive, literal } from '../config/node.ts'
import type { SettingTable } from './define.ts'
import { expression, plain, words } from './values.ts'

export interface CompressionSettings {
  readonly 'use-gzip': boolean
  readonly 'gzip-level': number
  readonly 'gzip-min-length': number
  readonly 'gzip-types': string
  readonly 'gzip-disable': string
  readonly 'enable-brotli': boolean
  readonly 'brotli-level': number
  readonly 'brotli-min-length': number
  readonly 'brotli-types': string
}

const textTypes = [
  'application/atom+xml application/javascript application/x-javascript application/json application/rss+xml',
  'application/vnd.ms-fontobject application/x-font-ttf application/x-web-app-manifest+json application/xhtml+xml',
  'application/xml font/opentype image/svg+xml image/x-icon text/css text/javascript text/plain text/x-component',
].join(' ')

/** The keys of this area. */
export const compressionSettings: SettingTable<CompressionSettings> = {
  'use-gzip': {
    value: flag,
    fallback: false,
    summary: 'compresses answers',
    place: 'http',
    render: (on) =>
      on
        ? [
            directive('gzip', 'on'),
            directive('gzip_http_version', '1.1'),
            directive('gzip_proxied', 'any'),
            directive('gzip_vary', 'on'),
          ]
        : [],
  },
  'gzip-level': plain(integerFrom(1, 9), 1, 'effort, 1 to 9'),
  'gzip-min-length': plain(integerFrom(0), 256, 'shortest answer that is compressed, bytes'),
  'gzip-types': plain(words, textTypes, 'content types that are compressed'),
  'gzip-disable': plain(expression, '', 'expression on the user agent that gets no compression'),
  'enable-brotli': plain(flag, false, 'not available: the module is not loaded'),
  'brotli-level': plain(integer, 4, 'not available'),
  'brotli-min-length': plain(integer, 20, 'not available'),
  'brotli-types': plain(words, `application/xml+rss ${textTypes}`, 'not available'),
}

/** Directives that depend on several of these keys. */
export function renderCompression(settings: CompressionSettings): ReturnType<typeof directive>[] {
  if (!settings['use-gzip']) return []
  const disabled = settings['gzip-disable']
  return [
    directive('gzip_comp_level', settings['gzip-level']),
    ...(disabled === '' ? [] : [directive('gzip_disable', literal(disabled))]),
    directive('gzip_min_length', settings['gzip-min-length']),
    directive('gzip_types', ...settings['gzip-types'].split(/ +/).map(literal)),
  ]
}
