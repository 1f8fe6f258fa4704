import { describe, expect, it } from 'vitest'
import { pem } from '../testing/pem.ts'
import { coversHost, keyMatches, readCertificate } from './certificate.ts'

describe('a certificate', () => {
  const facts = readCertificate(pem.certificate)

  it('is read without a library', () => {
    expect(facts).toMatchObject({
      commonName: 'tea.example',
      dnsNames: ['tea.example', '*.tea.example'],
      ipAddresses: ['192.0.2.7'],
      issuerOrganization: 'Example',
      publicKeyAlgorithm: 'ECDSA',
    })
    expect((facts?.notAfterMs ?? 0) - (facts?.notBeforeMs ?? 0)).toBe(36500 * 86_400_000)
  })

  it.each([
    ['tea.example', true],
    ['TEA.example.', true],
    ['a.tea.example', true],
    ['a.b.tea.example', false],
    ['192.0.2.7', true],
    ['milk.example', false],
    ['*.tea.example', true],
  ])('covers %s: %s', (host, covered) => {
    expect(facts !== undefined && coversHost(facts, host)).toBe(covered)
  })

  it('belongs to its key and to no other', () => {
    expect(keyMatches(pem.certificate, pem.key)).toBe(true)
    expect(keyMatches(pem.certificate, pem.otherKey)).toBe(false)
    expect(keyMatches(pem.certificate, 'no key')).toBe(false)
  })

  it.each([
    ['nothing'],
    ['-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'],
    [pem.certificate.slice(0, 200)],
  ])('is not what does not parse', (text) => {
    expect(readCertificate(text)).toBeUndefined()
  })
})
