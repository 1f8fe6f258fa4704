// Log formats and files of http and stream.

import { familyOf } from '@kubewire/kube-model'
import { type ConfigNode, directive, interpolated, list, literal, word } from '../config/node.ts'
import type { Model } from '../model/model.ts'
import type { ConfigPaths } from './paths.ts'

/** Access log of http. */
export function renderHttpLogs({ settings }: Model, paths: ConfigPaths): readonly ConfigNode[] {
  const format = directive(
    'log_format',
    'upstreaminfo',
    ...escapeOf(settings),
    interpolated(settings['log-format-upstream']),
  )
  if (settings['disable-access-log'] || settings['disable-http-access-log'])
    return [format, directive('access_log', 'off')]
  const path = settings['http-access-log-path'] || settings['access-log-path']
  const params = settings['access-log-params'].split(' ').filter((text) => text !== '')
  const target = settings['enable-syslog'] ? syslog(settings) : literal(accessLogPath(path, paths))
  const more = settings['enable-syslog'] ? [] : params.map(literal)
  return [format, directive('access_log', target, 'upstreaminfo', ...more, 'if=$loggable')]
}

/** Access log of stream. */
export function renderStreamLogs({ settings }: Model, paths: ConfigPaths): readonly ConfigNode[] {
  const format = directive('log_format', 'log_stream', interpolated(settings['log-format-stream']))
  if (settings['disable-access-log'] || settings['disable-stream-access-log'])
    return [format, directive('access_log', 'off')]
  const path = settings['stream-access-log-path'] || settings['access-log-path']
  const params = settings['access-log-params'].split(' ').filter((text) => text !== '')
  return [format, directive('access_log', literal(accessLogPath(path, paths)), 'log_stream', ...params.map(literal))]
}

/** Where errors go; the same in main, http and stream. */
export function renderErrorLog({ settings, options }: Model, paths: ConfigPaths): ConfigNode {
  const target = settings['enable-syslog'] ? syslog(settings) : literal(errorLogPath(settings, paths))
  return directive('error_log', target, options.debugLog ? 'debug' : settings['error-log-level'])
}

function accessLogPath(path: string, paths: ConfigPaths): string {
  if (path !== '/var/log/nginx/access.log') return path === 'stdout' ? '/dev/stdout' : path
  return paths.accessLog ?? path
}

function errorLogPath(settings: Model['settings'], paths: ConfigPaths): string {
  const path = settings['error-log-path']
  return path === '/var/log/nginx/error.log' ? (paths.errorLog ?? path) : path
}

function escapeOf(settings: Model['settings']): ReturnType<typeof word>[] {
  if (settings['log-format-escape-none']) return [word('escape=none')]
  return settings['log-format-escape-json'] ? [word('escape=json')] : []
}

function syslog(settings: Model['settings']): ReturnType<typeof list> {
  const host = settings['syslog-host'] || '127.0.0.1'
  const written = familyOf(host) === 6 ? `[${host}]` : host
  return list('', 'syslog:server=', literal(written), ':', settings['syslog-port'])
}
