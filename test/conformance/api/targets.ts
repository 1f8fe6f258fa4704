// Servers for the scenarios: ours in this process, ours as a process, or kube-apiserver with etcd.

import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMiniApiServer } from '@kubewire/mini-apiserver'
import { startRealApiServer } from '../../harness/api-server.ts'
import { startDaemon } from '../../harness/daemon.ts'
import { startForwarder } from '../../harness/forwarder.ts'
import { createNetns, whyNoNetns } from '../../harness/netns.ts'
import type { RunOptions } from '../area.ts'
import { ask } from './connection.ts'
import type { ApiTarget } from './run-scenario.ts'

const tokens = { admin: 'admin', plain: 'plain', stranger: 'nobody-knows-this', nobody: undefined }

/** Starts the server that the options ask for. */
export function openTarget({ target, via }: RunOptions): Promise<ApiTarget> {
  if (target === 'original') return openOriginal()
  return via === 'real' ? openProcess() : openInside()
}

// The command as users run it; its history is compacted through the faults it serves.
async function openProcess(): Promise<ApiTarget> {
  const args = ['--listen', '127.0.0.1:0', '--token', tokens.admin, '--user', `${tokens.plain}=plain`, '--faults']
  const server = await startDaemon({ daemon: 'mini-apiserver', args, isReady: ({ output }) => /:\d+\n/.test(output()) })
  const address = { port: Number(/https:\/\/127\.0\.0\.1:(\d+)/.exec(server.output())?.[1]) }
  const headers = { authorization: `Bearer ${tokens.admin}`, 'content-type': 'text/plain' }
  const compact = async (): Promise<void> => {
    const reply = await ask(address, { method: 'POST', path: '/__faults', query: {}, headers, body: 'compact' })
    if (reply.status !== 200) throw new Error(`compact: ${reply.status} ${reply.text}`)
  }
  return { address, tokens, compact, close: () => server.stop() }
}

async function openInside(): Promise<ApiTarget> {
  const server = await createMiniApiServer({ adminToken: 'admin', plainTokens: { plain: 'plain' } })
  return {
    address: { port: server.port },
    tokens,
    compact: async () => server.compact(),
    close: () => server.close(),
  }
}

async function openOriginal(): Promise<ApiTarget> {
  const reason = whyNoNetns()
  if (reason !== undefined) throw new Error(`--target original: ${reason}`)
  const netns = await createNetns('api')
  try {
    const server = await startRealApiServer(netns)
    const dir = mkdtempSync(join(tmpdir(), 'kwtest-etcd-'))
    const etcdSocket = join(dir, 'etcd.sock')
    const forwarder = await startForwarder(netns, etcdSocket, new URL(server.etcdUrl).host)
    return {
      address: { socketPath: server.socketPath },
      tokens,
      compact: () => compactEtcd(etcdSocket),
      close: async () => {
        await forwarder.close()
        rmSync(dir, { recursive: true, force: true })
        await server.close()
        await netns.close()
      },
    }
  } catch (error) {
    await netns.close()
    throw error
  }
}

// etcd's JSON gateway: the newest revision, then compaction up to it.
async function compactEtcd(socketPath: string): Promise<void> {
  const range = await askEtcd(socketPath, '/v3/kv/range', { key: 'AA==' })
  const { revision } = (range as { header: { revision: string } }).header
  await askEtcd(socketPath, '/v3/kv/compaction', { revision, physical: true })
}

async function askEtcd(socketPath: string, path: string, body: object): Promise<unknown> {
  const asked = request({ socketPath, path, method: 'POST', headers: { 'content-type': 'application/json' } })
  asked.end(JSON.stringify(body))
  const [message] = (await once(asked, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString('utf8')
  if (message.statusCode !== 200) throw new Error(`etcd ${path}: ${message.statusCode} ${text}`)
  return JSON.parse(text)
}
