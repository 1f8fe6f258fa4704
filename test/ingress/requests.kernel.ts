// The request tables of nginx-gen against a real nginx: what the simulator is told in unit tests, nginx must do, too.

import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseConfig, type SimulatedRequest, simulateRequest } from '@kubewire/nginx-gen'
import { readRequest, requestTables } from '@kubewire/nginx-gen/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createNetns, type Netns, whyNoNetns } from '../harness/netns.ts'

const missing = whyNoNetns()
if (missing !== undefined) console.log(`requests.kernel.ts is skipped: ${missing}`)

describe.skipIf(missing !== undefined)('the request tables on a real nginx', () => {
  let netns: Netns
  const dir = mkdtempSync(join(tmpdir(), 'kubewire-requests-'))
  beforeAll(async () => {
    netns = await createNetns('requests')
    await netns.addAddresses(clientAddresses())
    // Workers are not root and must get at the file of users.
    chmodSync(dir, 0o755)
    writeFileSync(join(dir, 'users'), 'x:{PLAIN}y\n', { mode: 0o644 })
  })
  afterAll(async () => {
    await netns?.close()
    rmSync(dir, { recursive: true, force: true })
  })

  describe.each(requestTables)('$what', ({ servers, rows }) => {
    let master: { stop(): Promise<void> } | undefined
    beforeAll(async () => {
      const file = join(dir, 'nginx.conf')
      writeFileSync(file, realConfig(servers))
      const nginx = netns.start({
        program: 'nginx',
        args: ['-p', dir, '-c', file, '-e', 'stderr', '-g', 'daemon off;'],
      })
      master = nginx
      await nginx.waitUntil(async () => (await ask(netns, { host: 'probe', path: '/', port: 9000 })).status === 200)
    })
    afterAll(() => master?.stop())

    it.each(rows.map(([request, answer, fact]) => ({ request, answer, fact })))(
      '$fact',
      async ({ request, answer }) => {
        const found = await ask(netns, readRequest(request))
        expect(spellings(found)).toContain(answer)
        const simulated = simulateRequest(parseConfig(`http { ${servers} }`).value, readRequest(request)).outcome
        if (simulated.kind === 'answer') expect(found.status).toBe(simulated.status)
      },
    )
  })
})

interface Found {
  readonly status: number
  readonly location: string
  readonly upstream: string
  readonly path: string
}

function spellings({ status, location, upstream, path }: Found): readonly string[] {
  if (status === 0) return ['refused']
  if (upstream !== '') return [`backend ${upstream} ${path}`, `backend ${upstream}`]
  return [`${status} ${location}`, String(status)]
}

async function ask(netns: Netns, request: SimulatedRequest): Promise<Found> {
  const port = request.port ?? 80
  const headers = Object.entries({ Host: request.host, ...request.headers }).flatMap(([name, value]) => [
    '-H',
    `${name}: ${value}`,
  ])
  const source = request.clientAddress === undefined ? [] : ['--interface', request.clientAddress]
  const format = '%{http_code}\n%{redirect_url}\n%header{x-upstream}\n%header{x-path}\n%header{location}'
  const result = await netns.run('curl', [
    '-s',
    '-o',
    '/dev/null',
    '--path-as-is',
    '--max-time',
    '5',
    '-X',
    request.method ?? 'GET',
    ...headers,
    ...source,
    '-w',
    format,
    `http://127.0.0.1:${port}${request.path ?? '/'}`,
  ])
  const [status = '0', , upstream = '', path = '', location = ''] = result.stdout.split('\n')
  return { status: Number(status), location, upstream, path }
}

// Every upstream is one echo server; headers of the answer tell which name was asked and with which path.
function realConfig(servers: string): string {
  const names = [...new Set([...servers.matchAll(/proxy_pass http:\/\/(\w+)/g)].map(([, name]) => name))]
  return `events {}
pid nginx.pid;
http {
  access_log off;
  server_names_hash_bucket_size 64;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path temp_${name};`).join('\n  ')}
  add_header X-Upstream $proxy_host always;
  server { listen 127.0.0.1:9000; location / { add_header X-Path $request_uri; return 200; } }
  ${names.map((name) => `upstream ${name} { server 127.0.0.1:9000; }`).join('\n  ')}
  ${servers}
}
`
}

function clientAddresses(): readonly string[] {
  const rows = requestTables.flatMap((table) => table.rows).map(([request]) => readRequest(request))
  return [...new Set(rows.flatMap((request) => request.clientAddress ?? []))]
}
