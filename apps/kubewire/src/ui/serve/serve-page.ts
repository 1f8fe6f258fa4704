// The page over HTTP, for this machine's browser alone: fixed files, the cluster as JSON, and a wait for changes.
// Whoever names this server otherwise than by a loopback name is refused: a page of another site whose name was made
// to point here (DNS rebinding) may not read the cluster.

import { type EndpointHandler, type EndpointReply, type EndpointRequest, serveEndpoints } from '@kubewire/daemon-kit'
import type { PageFile } from './page-files.ts'
import type { UiSource } from './ui-source.ts'

/** A listening page. */
export interface PageServer {
  /** `http://127.0.0.1:PORT/`. */
  readonly url: string
  close(): Promise<void>
}

/** Starts listening on 127.0.0.1; port 0 is any free one. Rejects with Node's error when the port is taken. */
export async function servePage(files: readonly PageFile[], source: UiSource, port: number): Promise<PageServer> {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const routes: Record<string, EndpointHandler> = {
    // Stands for everything below it too, so that refusals carry the same headers.
    '/': guarded(({ path }) => {
      const file = byPath.get(path)
      return file === undefined
        ? { status: 404, body: 'no such page\n' }
        : { contentType: file.contentType, body: file.body }
    }),
    '/cluster.json': guarded(async () => ({
      contentType: 'application/json; charset=utf-8',
      body: JSON.stringify(await source.read()),
    })),
    '/changes': guarded(async ({ query }) => {
      const generation = await source.changedSince(Number(query.get('after') ?? 0), longestWaitMs)
      return { contentType: 'application/json; charset=utf-8', body: JSON.stringify({ generation }) }
    }),
  }
  const server = await serveEndpoints({ address: '127.0.0.1', port, routes, maxConnections: 64 })
  return { url: `http://127.0.0.1:${server.port}/`, close: () => server.close() }
}

const longestWaitMs = 25_000

const headers = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cache-control': 'no-store',
} as const

function guarded(handler: EndpointHandler): EndpointHandler {
  return async (request) => {
    const reply = refusal(request) ?? (await handler(request))
    return { ...reply, headers: { ...headers, ...reply.headers } }
  }
}

/** Why a request is not answered; `undefined` when it may be. */
export function refusal({
  method,
  headers: asked,
}: Pick<EndpointRequest, 'method' | 'headers'>): EndpointReply | undefined {
  if (method !== 'GET' && method !== 'HEAD') return { status: 405, headers: { allow: 'GET, HEAD' }, body: 'only GET\n' }
  const host = (asked.host ?? '').toLowerCase().replace(/:\d+$/, '')
  if (!loopbackNames.has(host))
    return { status: 403, body: 'expected a Host of this machine: 127.0.0.1 or localhost\n' }
  // Browsers say where a request comes from; another site has nothing to fetch here.
  const site = asked['sec-fetch-site']
  const isNavigation = asked['sec-fetch-mode'] === 'navigate'
  if (site !== undefined && site !== 'same-origin' && site !== 'none' && !isNavigation) {
    return { status: 403, body: 'expected a request of this page\n' }
  }
  return undefined
}

const loopbackNames: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]'])
