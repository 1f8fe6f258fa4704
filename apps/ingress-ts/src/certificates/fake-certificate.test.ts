import { createPrivateKey, X509Certificate } from 'node:crypto'
import { expect, it } from 'vitest'
import { createFakeCertificate } from './fake-certificate.ts'

const startMs = Date.UTC(2026, 0, 2, 3, 4, 5)
const pem = await createFakeCertificate(startMs)
const certificate = new X509Certificate(pem)

it('it has the names of the original', () => {
  expect(certificate.subject).toBe('O=Acme Co\nCN=Kubernetes Ingress Controller Fake Certificate')
  expect(certificate.issuer).toBe(certificate.subject)
  expect(certificate.subjectAltName).toBe('DNS:ingress.local')
  expect(certificate.serialNumber).toMatch(/^[4-7][0-9A-F]{31}$/)
})

it('it is good for a year and for servers alone', () => {
  expect(Date.parse(certificate.validFrom)).toBe(startMs)
  expect(Date.parse(certificate.validTo)).toBe(Date.UTC(2027, 0, 2, 3, 4, 5))
  expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1'])
  expect(certificate.ca).toBe(false)
})

it('after 2050 years have four digits', async () => {
  const late = new X509Certificate(await createFakeCertificate(Date.UTC(2049, 5, 1)))
  expect([late.validFrom, late.validTo].map((text) => new Date(text).getUTCFullYear())).toEqual([2049, 2050])
})

it('its key belongs to it, is RSA, and has signed it', () => {
  expect(certificate.checkPrivateKey(createPrivateKey(pem))).toBe(true)
  expect(certificate.verify(certificate.publicKey)).toBe(true)
  expect(certificate.publicKey.asymmetricKeyType).toBe('rsa')
  expect(certificate.publicKey.asymmetricKeyDetails?.modulusLength).toBe(2048)
})
