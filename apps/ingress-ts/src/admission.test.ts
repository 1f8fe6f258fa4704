// Over TLS on the loopback: what the webhook answers, what it refuses unread, and that it shows a renewed certificate.

import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '@kubewire/daemon-kit'
import { emptySnapshot } from '@kubewire/kube-model'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { serveAdmission } from './admission.ts'
import { createFakeCertificate } from './certificates/fake-certificate.ts'

describe('the admission webhook', () => {
  const dir = mkdtempSync(join(tmpdir(), 'kwtest-admission-'))
  const answered: string[] = []
  let open: Awaited<ReturnType<typeof serveAdmission>>
  /** Writes a new pair; gives the fingerprint of its certificate. */
  const renew = async (): Promise<string> => {
    const pem = await createFakeCertificate(Date.UTC(2026, 0, 1))
    const [certificate = ''] = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----\n?/.exec(pem) ?? []
    writeFileSync(join(dir, 'key.pem'), pem.replace(certificate, ''))
    writeFileSync(join(dir, 'cert.pem'), certificate)
    const bytes = Buffer.from(certificate.replaceAll(/-----[A-Z ]+-----|\s/g, ''), 'base64')
    return createHash('sha256').update(bytes).digest('hex')
  }
  beforeAll(async () => {
    await renew()
    open = await serveAdmission({
      listen: '127.0.0.1:0',
      certificateFile: join(dir, 'cert.pem'),
      keyFile: join(dir, 'key.pem'),
      snapshot: () => emptySnapshot,
      settle: async () => false,
      options: { watchWithoutClass: true },
      onAnswer: (outcome, namespace, name) => void answered.push(`${outcome} ${namespace}/${name}`),
      log: createLog({ format: 'json', write: () => {} }),
    })
  })
  afterAll(async () => {
    await open.close()
    rmSync(dir, { recursive: true, force: true })
  })

  const ask = (body: string): Promise<{ status: number; text: string; fingerprint: string }> =>
    new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port: open.port, method: 'POST', rejectUnauthorized: false, agent: false }
      const sent = request(options, (response) => {
        const { fingerprint256 = '' } = (response.socket as import('node:tls').TLSSocket).getPeerCertificate()
        const fingerprint = fingerprint256.replaceAll(':', '').toLowerCase()
        let text = ''
        response.on('data', (chunk: Buffer) => (text += chunk))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text, fingerprint }))
      })
      sent.on('error', reject)
      sent.end(body)
    })
  const review = (host: string): string =>
    JSON.stringify({
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      request: {
        uid: 'u-1',
        kind: { group: 'networking.k8s.io', version: 'v1', kind: 'Ingress' },
        object: {
          apiVersion: 'networking.k8s.io/v1',
          kind: 'Ingress',
          metadata: { name: 'front', namespace: 'shop', uid: '0b7d3e80-0000-4000-8000-000000000001' },
          spec: { rules: [{ host }] },
        },
      },
    })

  it('takes a good Ingress, refuses a bad one, and says for whom', async () => {
    const good = JSON.parse((await ask(review('shop.example.org'))).text) as { response: object }
    const bad = JSON.parse((await ask(review('shop example'))).text) as { response: object }
    expect(good.response).toMatchObject({ uid: 'u-1', allowed: true })
    expect(bad.response).toMatchObject({ uid: 'u-1', allowed: false, status: { reason: 'BadRequest' } })
  })

  it.each([
    ['no JSON', '{', 400],
    ['no review', '{}', 400],
    ['a review of nothing', '{"request":{"uid":"u"}}', 400],
  ])('says that %s is none', async (_, body, status) => {
    expect((await ask(body)).status).toBe(status)
  })

  it('refuses more than 9 MiB unread', async () => {
    const outcome = ask(`{"a":"${'x'.repeat(10 * 1024 * 1024)}"}`).then(
      ({ status }) => status,
      () => 'closed',
    )
    expect([413, 'closed']).toContain(await outcome)
  })

  it('shows a renewed certificate to the next connection', async () => {
    const fingerprint = await renew()
    await vi.waitFor(async () => expect((await ask('{}')).fingerprint).toBe(fingerprint), 10_000)
  }, 15_000)
})
