import { describe, expect, it } from 'vitest'
import { locationLines, shop } from '../testing/shop.ts'

describe('mirror-target', () => {
  it('copies each request to the target with its host', () => {
    const built = shop({ annotations: { 'mirror-target': 'https://copy.example$request_uri' } })
    expect(locationLines(built).find((line) => line.startsWith('mirror '))).toMatch(/^mirror \/_mirror-[0-9a-f]{32}$/)
    expect(built.text).toContain('set $mirror_target https://copy.example$request_uri;')
    expect(built.text).toContain('proxy_set_header Host copy.example;')
  })

  it('may leave the body out', () => {
    const annotations = { 'mirror-target': 'http://copy.example/', 'mirror-request-body': 'off' }
    expect(locationLines(shop({ annotations }))).toContain('mirror_request_body off')
  })

  it.each([['copy.example'], ['http://x/;return 299'], ['http://copy.example/$nothing'], ['http://unix:/run/x.sock']])(
    '%s refuses the Ingress',
    (value) => {
      expect(shop({ annotations: { 'mirror-target': value } }).translation.accepted).toEqual([])
    },
  )
})
