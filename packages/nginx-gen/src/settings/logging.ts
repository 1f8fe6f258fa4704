// Keys of logs.

import { cidrList, flag, integerFrom, oneOf, textOf } from '../annotations/values.ts'
import type { SettingTable } from './define.ts'
import { anyList, logFormat, plain } from './values.ts'

export interface LoggingSettings {
  readonly 'disable-access-log': boolean
  readonly 'disable-http-access-log': boolean
  readonly 'disable-stream-access-log': boolean
  readonly 'access-log-path': string
  readonly 'http-access-log-path': string
  readonly 'stream-access-log-path': string
  readonly 'access-log-params': string
  readonly 'enable-access-log-for-default-backend': boolean
  readonly 'enable-auth-access-log': boolean
  readonly 'error-log-path': string
  readonly 'error-log-level': string
  readonly 'log-format-upstream': string
  readonly 'log-format-stream': string
  readonly 'log-format-escape-json': boolean
  readonly 'log-format-escape-none': boolean
  readonly 'skip-access-log-urls': readonly string[]
  readonly 'enable-syslog': boolean
  readonly 'syslog-host': string
  readonly 'syslog-port': number
  readonly 'debug-connections': readonly string[]
}

const logPath = textOf(/^(?:\/[A-Za-z0-9_./-]*|stderr|stdout|syslog:[A-Za-z0-9_.:=,/[\]-]+)$/, 'an absolute path')
const hostText = textOf(/^[A-Za-z0-9_.:[\]-]*$/, 'a host')

const upstreamFormat = [
  '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"',
  '$request_length $request_time [$proxy_upstream_name] [$proxy_alternative_upstream_name] $upstream_addr',
  '$upstream_response_length $upstream_response_time $upstream_status $req_id',
].join(' ')

/** The keys of this area. */
export const loggingSettings: SettingTable<LoggingSettings> = {
  'disable-access-log': plain(flag, false, 'logs no requests at all'),
  'disable-http-access-log': plain(flag, false, 'logs no http requests'),
  'disable-stream-access-log': plain(flag, false, 'logs no TCP and UDP sessions'),
  'access-log-path': plain(logPath, '/var/log/nginx/access.log', 'where requests are logged'),
  'http-access-log-path': plain(logPath, '', 'the same for http only'),
  'stream-access-log-path': plain(logPath, '', 'the same for TCP and UDP only'),
  'access-log-params': plain(
    textOf(/^(?:(?:buffer|flush|gzip)(?:=[0-9]+[a-zA-Z]*)? ?)*$/, 'buffer=, flush= or gzip='),
    '',
    'further parameters of access_log',
  ),
  'enable-access-log-for-default-backend': plain(flag, false, 'logs requests to the default backend'),
  'enable-auth-access-log': plain(flag, false, 'logs questions to the authentication service'),
  'error-log-path': plain(logPath, '/var/log/nginx/error.log', 'where errors are logged'),
  'error-log-level': plain(
    oneOf(['debug', 'info', 'notice', 'warn', 'error', 'crit', 'alert', 'emerg']),
    'notice',
    'least severity of logged errors',
  ),
  'log-format-upstream': plain(logFormat, upstreamFormat, 'format of the access log'),
  'log-format-stream': plain(
    logFormat,
    '[$remote_addr] [$time_local] $protocol $status $bytes_sent $bytes_received $session_time',
    'format of the log of TCP and UDP sessions',
  ),
  'log-format-escape-json': plain(flag, false, 'escapes values for JSON'),
  'log-format-escape-none': plain(flag, false, 'escapes nothing'),
  'skip-access-log-urls': plain(anyList, [], 'request URIs that are not logged'),
  'enable-syslog': plain(flag, false, 'logs to a syslog server'),
  'syslog-host': plain(hostText, '', 'that server'),
  'syslog-port': plain(integerFrom(1, 65535), 514, 'its port'),
  'debug-connections': plain(cidrList, [], 'clients whose connections are logged in detail'),
}
