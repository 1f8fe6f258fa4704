// The client of the soak: asks names, connects, sends datagrams and requests at fixed rates, and tells how each went.

import dgram from 'node:dgram'
import http from 'node:http'
import net from 'node:net'
import { encodeQuery, queryOf, typeNumber } from '@kubewire/dns-core'
import { readReply } from '@kubewire/dns-core/cases'
import { type Probed, type ProbeKind, type ProbePlan, probeKinds } from './probe.ts'
import { places, serviceAddress } from './soak-objects.ts'

const { services, rates, timeoutMs } = JSON.parse(process.argv[2] ?? '') as ProbePlan
const agent = new http.Agent({ keepAlive: true, maxSockets: 32 })

const ask: Readonly<Record<ProbeKind, (index: number) => Promise<readonly string[]>>> = {
  dns: askDns,
  tcp: askTcp,
  udp: (index) =>
    oneDatagram(serviceAddress(index), 82, Buffer.from('hello')).then((answer) => [nameIn(answer.toString())]),
  http: askHttp,
}

for (const kind of probeKinds) {
  let count = 0
  if (rates[kind] > 0) setInterval(() => probe(kind, count++ % services), 1000 / rates[kind])
}
// The parent ends us; so does its own end.
process.stdin.on('end', () => process.exit(0)).resume()

function probe(kind: ProbeKind, index: number): void {
  const startMs = Date.now()
  const tell = (more: Pick<Probed, 'endpoints' | 'error'>): void => {
    console.log(JSON.stringify({ kind, index, startMs, endMs: Date.now(), ...more } satisfies Probed))
  }
  ask[kind](index).then(
    (endpoints) => tell({ endpoints }),
    (error: Error) => tell({ error: error.message }),
  )
}

let queryId = 0

async function askDns(index: number): Promise<readonly string[]> {
  queryId = (queryId + 1) & 0xffff
  const query = queryOf(`bare-${index}.soak.svc.cluster.local.`, typeNumber('A') ?? 1, { id: queryId })
  const reply = readReply([await oneDatagram(places.dns, 53, Buffer.from(encodeQuery(query)))])
  if (reply?.rcode !== 'NOERROR') throw new Error(reply?.rcode ?? 'an answer that does not parse')
  return reply.answer.map(({ data }) => (data.kind === 'address' ? data.address : data.kind))
}

/** Sends from a new port, so that each is a flow of its own. */
function oneDatagram(address: string, port: number, message: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = dgram.createSocket('udp4')
    const end = (settle: () => void): void => {
      clearTimeout(timer)
      socket.close()
      settle()
    }
    const timer = setTimeout(() => end(() => reject(new Error('no answer'))), timeoutMs)
    socket.once('error', (error) => end(() => reject(error)))
    socket.once('message', (answer) => end(() => resolve(answer)))
    socket.connect(port, address, () => socket.send(message))
  })
}

function askTcp(index: number): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(81, serviceAddress(index), () => socket.write('hello\n'))
    const timer = setTimeout(() => socket.destroy(new Error('no answer')), timeoutMs)
    socket.once('error', reject)
    socket.once('close', () => {
      clearTimeout(timer)
      reject(new Error('closed'))
    })
    socket.once('data', (line) => {
      resolve([nameIn(line.toString())])
      socket.destroy()
    })
  })
}

function askHttp(index: number): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const headers = { host: `tea-${index}.example.org` }
    const request = http.get({ host: places.node, port: 80, agent, headers, timeout: timeoutMs }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk
      })
      response.once('error', reject)
      response.once('end', () => {
        if (response.statusCode === 200) resolve([nameIn(body)])
        else reject(new Error(`status ${response.statusCode}`))
      })
    })
    request.once('timeout', () => request.destroy(new Error('no answer')))
    request.once('error', reject)
  })
}

function nameIn(text: string): string {
  return (JSON.parse(text) as { name: string }).name
}
