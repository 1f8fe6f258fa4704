// Key pairs of a case, made with openssl; equal ones are made once per run.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CertificateSpec, KeyPair } from '@kubewire/nginx-gen/cases'
import { mustRun } from '../../harness/process.ts'

const made = new Map<string, Promise<KeyPair>>()

/** All key pairs of a case by name; issuers are made before what they sign. */
export async function makeCertificates(specs: readonly CertificateSpec[]): Promise<ReadonlyMap<string, KeyPair>> {
  const pairs = new Map<string, KeyPair>()
  const order = [...specs].sort((a, b) => Number(a.issuer !== undefined) - Number(b.issuer !== undefined))
  for (const spec of order) {
    const issuer = spec.issuer === undefined ? undefined : pairs.get(spec.issuer)
    const key = JSON.stringify([spec, issuer?.cert])
    const pair = made.get(key) ?? makeOne(spec, issuer)
    made.set(key, pair)
    pairs.set(spec.name, await pair)
  }
  return pairs
}

async function makeOne(spec: CertificateSpec, issuer: KeyPair | undefined): Promise<KeyPair> {
  const dir = mkdtempSync(join(tmpdir(), 'kubewire-cert-'))
  const at = (name: string): string => join(dir, name)
  try {
    const subject = `${spec.org === undefined ? '' : `/O=${spec.org}`}${spec.cn === undefined ? '' : `/CN=${spec.cn}`}`
    const days = spec.days ?? 90
    writeFileSync(at('ext'), extensionsOf(spec))
    const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', at('key')]
    await openssl('req', ...ec, '-subj', subject === '' ? '/' : subject, '-out', at('csr'))
    const signer =
      issuer === undefined ? ['-signkey', at('key')] : ['-CA', at('ca'), '-CAkey', at('cakey'), '-CAcreateserial']
    if (issuer !== undefined) {
      writeFileSync(at('ca'), issuer.cert)
      writeFileSync(at('cakey'), issuer.key)
    }
    // A negative number of days asks for one that has expired: x509 cannot make it, `ca` can.
    if (days <= 0) await makeExpired(at, subject, days)
    else
      await openssl(
        'x509',
        '-req',
        '-in',
        at('csr'),
        ...signer,
        '-days',
        String(days),
        '-extfile',
        at('ext'),
        '-out',
        at('cert'),
      )
    return { cert: readFileSync(at('cert'), 'utf8'), key: readFileSync(at('key'), 'utf8') }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

async function makeExpired(at: (name: string) => string, subject: string, days: number): Promise<void> {
  writeFileSync(at('index'), '')
  writeFileSync(at('serial'), '01\n')
  writeFileSync(
    at('conf'),
    `[ca]\ndefault_ca=c\n[c]\ndatabase=${at('index')}\nserial=${at('serial')}\nnew_certs_dir=${at('.')}\ndefault_md=sha256\npolicy=p\n[p]\ncommonName=optional\norganizationName=optional\n`,
  )
  const stamp = (ms: number): string => `${new Date(ms).toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`
  const endMs = Date.now() + days * 24 * 3600 * 1000
  const dates = ['-startdate', stamp(endMs - 24 * 3600 * 1000), '-enddate', stamp(endMs - 1000)]
  const files = [
    '-config',
    at('conf'),
    '-in',
    at('csr'),
    '-out',
    at('cert'),
    '-keyfile',
    at('key'),
    '-extfile',
    at('ext'),
  ]
  await openssl('ca', '-batch', '-notext', '-selfsign', '-preserveDN', ...files, ...dates, '-subj', subject)
}

function extensionsOf(spec: CertificateSpec): string {
  const names = (spec.dns ?? []).map((name) => `DNS:${name}`)
  return [
    `basicConstraints=critical,CA:${spec.ca === true ? 'TRUE' : 'FALSE'}`,
    ...(names.length === 0 ? [] : [`subjectAltName=${names.join(',')}`]),
    ...(spec.client === true ? ['extendedKeyUsage=clientAuth'] : []),
    ...(spec.ca === true ? ['keyUsage=critical,keyCertSign,cRLSign'] : []),
    '',
  ].join('\n')
}

async function openssl(...args: readonly string[]): Promise<void> {
  await mustRun({ program: 'openssl', args: [...args] })
}
