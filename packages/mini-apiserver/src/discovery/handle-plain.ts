// Paths outside the resources: health, version, index, discovery, OpenAPI.

import { methodNotAllowed } from '../api-status.ts'
import type { Answer } from '../http/answer.ts'
import type { ApiRequest } from '../http/request.ts'
import type { ServerState } from '../server-state.ts'
import { discoveryAnswer } from './discovery.ts'
import { openApiAnswer } from './openapi.ts'

/** Answers a plain path; unknown ones get the text of the original. */
export function handlePlain(state: ServerState, request: ApiRequest, path: string): Answer {
  const answer = findAnswer(state, request, path)
  if (!answer) {
    return { kind: 'text', status: 404, text: '404 page not found\n', headers: { 'x-content-type-options': 'nosniff' } }
  }
  if (request.method !== 'GET') throw methodNotAllowed()
  return answer
}

function findAnswer(state: ServerState, request: ApiRequest, path: string): Answer | undefined {
  const health = /^\/(healthz|livez|readyz)(\/.*)?$/.exec(path)
  if (health) return healthAnswer(health[1] ?? '', request.query.has('verbose'))
  if (path === '/version') return { kind: 'document', status: 200, document: versionDocument() }
  if (path === '/') return { kind: 'document', status: 200, document: { paths: indexPaths(state) } }
  if (path === '/metrics') return { kind: 'text', status: 200, text: '' }
  return openApiAnswer(state, request, path) ?? discoveryAnswer(state, request, path)
}

function healthAnswer(name: string, isVerbose: boolean): Answer {
  const text = isVerbose ? `[+]ping ok\n[+]storage ok\n${name} check passed\n` : 'ok'
  return { kind: 'text', status: 200, text, headers: { 'x-content-type-options': 'nosniff' } }
}

function versionDocument(): { [key: string]: string } {
  return {
    major: '1',
    minor: '37',
    gitVersion: 'v1.37.2',
    gitCommit: '',
    gitTreeState: 'clean',
    buildDate: '2026-01-01T00:00:00Z',
    goVersion: 'none',
    compiler: 'none',
    platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
  }
}

function indexPaths(state: ServerState): string[] {
  const groups = new Map<string, Set<string>>()
  for (const { group, version } of state.kinds.all()) {
    if (group !== '') groups.set(group, (groups.get(group) ?? new Set()).add(version))
  }
  const apis = [...groups].flatMap(([group, versions]) => [
    `/apis/${group}`,
    ...[...versions].map((v) => `/apis/${group}/${v}`),
  ])
  const rest = ['/healthz', '/healthz/ping', '/livez', '/openapi/v2', '/openapi/v3', '/readyz', '/version']
  return ['/api', '/api/v1', '/apis', '/apis/', ...apis, ...rest].sort()
}
