import { describe, expect, it } from 'vitest'
import type { CertificateFact } from '../metrics/metrics.ts'
import { createExpiryReport } from './expiry-report.ts'

const dayMs = 24 * 60 * 60 * 1000

function certificate(days: number): CertificateFact {
  return {
    host: 'a.example.org',
    namespace: 'shop',
    secretName: 'tls',
    identifier: '1',
    issuerCommonName: '',
    issuerOrganization: '',
    serialNumber: '1',
    publicKeyAlgorithm: 'RSA',
    notAfterMs: days * dayMs,
  }
}

describe('the end of a certificate', () => {
  it.each([
    ['is not told while it is far', 11, 1, []],
    ['is told ten days before', 10.5, 1, ['a certificate expires within ten days']],
    [
      'is told again when it has come',
      10.5,
      11,
      ['a certificate expires within ten days', 'a certificate has expired'],
    ],
  ] as const)('%s', (_, endDays, untilDay, wanted) => {
    const lines: string[] = []
    const report = createExpiryReport({ warn: (message) => lines.push(message) })
    for (let day = 0; day <= untilDay; day++) report([certificate(endDays)], day * dayMs)
    expect(lines).toEqual(wanted)
  })
})
