// Keys of compression. Brotli has a module of its own, which may not be there.

import { flag, integerFrom } from '../annotations/values.ts'
import { directive, literal } from '../config/node.ts'
import type { InstalledModules } from '../snapshot/optional-modules.ts'
import type { SettingTable } from './define.ts'
import { expression, needs, plain, words } from './values.ts'

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
  'enable-brotli': needs('brotli', flag, false, 'compresses answers; needs libnginx-mod-http-brotli-filter'),
  'brotli-level': needs('brotli', integerFrom(0, 11), 4, 'effort, 0 to 11'),
  'brotli-min-length': needs('brotli', integerFrom(0), 20, 'shortest answer that is compressed, bytes'),
  'brotli-types': needs('brotli', words, `application/xml+rss ${textTypes}`, 'content types that are compressed'),
}

/** Directives that depend on several of these keys. */
export function renderCompression(
  settings: CompressionSettings,
  modules: InstalledModules,
): ReturnType<typeof directive>[] {
  return [...renderGzip(settings), ...(modules.brotli ? renderBrotli(settings) : [])]
}

function renderBrotli(settings: CompressionSettings): ReturnType<typeof directive>[] {
  if (!settings['enable-brotli']) return []
  return [
    directive('brotli', 'on'),
    directive('brotli_comp_level', settings['brotli-level']),
    directive('brotli_min_length', settings['brotli-min-length']),
    directive('brotli_types', ...settings['brotli-types'].split(/ +/).map(literal)),
  ]
}

function renderGzip(settings: CompressionSettings): ReturnType<typeof directive>[] {
  if (!settings['use-gzip']) return []
  const disabled = settings['gzip-disable']
  return [
    directive('gzip_comp_level', settings['gzip-level']),
    ...(disabled === '' ? [] : [directive('gzip_disable', literal(disabled))]),
    directive('gzip_min_length', settings['gzip-min-length']),
    directive('gzip_types', ...settings['gzip-types'].split(/ +/).map(literal)),
  ]
}
