// A zone file with rare records, served by us and by CoreDNS: the replies are the same, byte for byte but for the ID.

import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { encodeQuery, queryOf, typeNumber } from '@kubewire/dns-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askOverUdp } from '../conformance/dns/ask.ts'
import { type RunningProgram, startProgram } from '../harness/process.ts'
import { type DaemonWorld, startDaemonWorld } from './daemon-world.ts'

const original = fileURLToPath(new URL('../originals/bin/coredns', import.meta.url))
if (!existsSync(original)) console.warn('rare records against CoreDNS: skipped, run pnpm originals first')

const hex32 = '00112233445566778899AABBCCDDEEFF00112233445566778899AABBCCDDEEFF'
const zone = `$TTL 60
@ IN SOA ns admin 1 2 3 4 5
@ IN NS ns
ns A 192.0.2.1
ds DS 12345 8 2 ${hex32}
cds CDS 0 0 0 00
key DNSKEY 257 3 13 mdsswUyr3DPW132mOi8V9xESWE8jTo0dxCjjnopKl+GqJxpVXckHAeF+KkxLbxILfDLUT0rAK9iUzy1L53eKGQ==
sig RRSIG A 13 2 60 20260201000000 20260101000000 12345 @ c2lnbmF0dXJl
nsec NSEC next A MX RRSIG NSEC TYPE1234
ssh SSHFP 4 2 ${hex32}
tls TLSA 3 1 1 ${hex32}
mime SMIMEA 3 0 0 3082
rp RP john\\.doe txt
caa CAA 0 issue "ca.example; policy=ev"
caa CAA 128 iodef "mailto:é@example.org"
raw TYPE65280 \\# 3 010203
txt TXT "é\\195x" "\\"quoted\\""
`

const questions = [
  'ds DS',
  'cds CDS',
  'key DNSKEY',
  'sig RRSIG',
  'nsec NSEC',
  'ssh SSHFP',
  'tls TLSA',
  'mime SMIMEA',
  'rp RP',
  'caa CAA',
  'raw TYPE65280',
  'txt TXT',
  'ds A',
  'nope CAA',
]

describe.skipIf(!existsSync(original))('a zone file with rare records', () => {
  let world: DaemonWorld
  let theirs: RunningProgram
  beforeAll(async () => {
    const files = { zone }
    world = await startDaemonWorld('.:{{port}} {\n file {{dir}}/zone example.org\n}', { files })
    const corefile = join(world.dir, 'Corefile.original')
    writeFileSync(corefile, `.:${world.others[0]} {\n file ${world.dir}/zone example.org\n}`)
    theirs = startProgram({ program: original, args: ['-conf', corefile] })
    await theirs.waitUntil(() => theirs.output().includes('CoreDNS-'))
  })
  afterAll(async () => {
    await theirs?.stop('SIGKILL')
    await world?.close()
  })

  it.each(questions)('gives the same reply: %s', async (question) => {
    const [name = '', type = ''] = question.split(' ')
    const bytes = encodeQuery(queryOf(`${name}.example.org.`, typeNumber(type) ?? 0, { id: 4711 }))
    const [mine, other] = await Promise.all(
      [world.port, world.others[0] ?? 0].map(async (port) => {
        const [reply] = await askOverUdp(bytes, { address: '127.0.0.1', port })
        return Buffer.from(reply ?? []).toString('hex')
      }),
    )
    expect(other).not.toBe('')
    expect(mine).toBe(other)
  })
})
