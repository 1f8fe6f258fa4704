// DNS servers of other people on the loopback, for `forward` to talk to: unbound and Knot DNS from the system's packages,
// and one that takes questions and never answers. Each says who it is under `who.example. TXT`.

import { execFileSync, spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningProgram, startProgram } from '../harness/process.ts'

/** A running server. */
export interface OtherServer {
  stop(): Promise<void>
}

/** A certificate for `dns.example`, signed by itself. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

/** Why these servers cannot run here, or undefined when they can. */
export function whyNoOtherServers(): string | undefined {
  const missing = ['unbound', 'knotd', 'openssl'].find((program) => spawnSync(program, ['-h']).error !== undefined)
  return missing === undefined ? undefined : `the program ${missing} is missing`
}

/** Makes a certificate with openssl. */
export function makeCertificate(): Certificate {
  const dir = mkdtempSync(join(tmpdir(), 'kwtest-cert-'))
  try {
    const [cert, key] = [join(dir, 'cert'), join(dir, 'key')]
    const names = ['-subj', '/CN=dns.example', '-addext', 'subjectAltName=DNS:dns.example']
    const form = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
    execFileSync('openssl', ['req', ...form, ...names, '-keyout', key, '-out', cert], { stdio: 'ignore' })
    return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/** Starts unbound: plain DNS on `port`, and over TLS and HTTPS where ports are given. */
export async function startUnbound(
  port: number,
  tls?: { readonly port: number; readonly httpsPort: number; readonly certificate: Certificate },
): Promise<OtherServer> {
  const dir = mkdtempSync(join(tmpdir(), 'kwtest-unbound-'))
  const lines = [
    'server:',
    `directory: "${dir}"`,
    'chroot: ""',
    'username: ""',
    'pidfile: ""',
    'use-syslog: no',
    'do-daemonize: no',
    'msg-cache-size: 1m',
    'rrset-cache-size: 1m',
    `interface: 127.0.0.1@${port}`,
    'local-zone: "example." static',
    `local-data: 'who.example. 60 IN TXT "unbound"'`,
    `local-data: 'knot.example. 60 IN A 127.0.0.1'`,
    ...Array.from({ length: 60 }, (_, i) => `local-data: 'many.example. 60 IN A 192.0.2.${i + 1}'`),
  ]
  if (tls !== undefined) {
    writeFileSync(join(dir, 'cert'), tls.certificate.cert)
    writeFileSync(join(dir, 'key'), tls.certificate.key)
    lines.push(`interface: 127.0.0.1@${tls.port}`, `interface: 127.0.0.1@${tls.httpsPort}`)
    lines.push(`tls-port: ${tls.port}`, `https-port: ${tls.httpsPort}`)
    lines.push('tls-service-key: "key"', 'tls-service-pem: "cert"')
  }
  writeFileSync(join(dir, 'unbound.conf'), lines.join('\n'))
  return startIn(dir, startProgram({ program: 'unbound', args: ['-d', '-c', join(dir, 'unbound.conf')] }), port)
}

/** Starts Knot DNS with the zone `example.`. */
export async function startKnot(port: number): Promise<OtherServer> {
  const dir = mkdtempSync(join(tmpdir(), 'kwtest-knot-'))
  mkdirSync(join(dir, 'run'))
  writeFileSync(
    join(dir, 'zone'),
    '@ 60 IN SOA ns a 1 2 3 4 5\n@ 60 IN NS ns\nns 60 IN A 192.0.2.1\nwho 60 IN TXT "knot"\n',
  )
  writeFileSync(
    join(dir, 'knot.conf'),
    `server:
  listen: 127.0.0.1@${port}
  rundir: ${dir}/run
  udp-workers: 1
  tcp-workers: 1
database:
  storage: ${dir}/run
zone:
  - domain: example
    file: ${dir}/zone
`,
  )
  return startIn(dir, startProgram({ program: 'knotd', args: ['-c', join(dir, 'knot.conf')] }), port)
}

/** A socket that takes questions and never answers. */
export async function startSilent(port: number): Promise<OtherServer> {
  const socket = createSocket('udp4')
  socket.bind(port, '127.0.0.1')
  await once(socket, 'listening')
  return { stop: () => new Promise((resolve) => socket.close(() => resolve())) }
}

async function startIn(dir: string, program: RunningProgram, port: number): Promise<OtherServer> {
  await program.waitUntil(() => accepts(port), 10_000)
  return {
    async stop() {
      await program.stop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
