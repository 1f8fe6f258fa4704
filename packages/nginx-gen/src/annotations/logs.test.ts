import { describe, expect, it } from 'vitest'
import { locationLines, shop } from '../testing/shop.ts'

describe('logs of a location', () => {
  it('hold its requests unless it wants none', () => {
    expect(locationLines(shop())).not.toContain('access_log off')
    expect(locationLines(shop({ annotations: { 'enable-access-log': 'false' } }))).toContain('access_log off')
  })

  it('are off in a denied location, too', () => {
    const annotations = { 'enable-access-log': 'false', 'auth-type': 'basic', 'auth-secret': 'gone' }
    const lines = locationLines(shop({ annotations }))
    expect(lines).toEqual(expect.arrayContaining(['access_log off', 'return 503']))
  })

  it('may hold rewrites', () => {
    expect(locationLines(shop({ annotations: { 'enable-rewrite-log': 'true' } }))).toContain('rewrite_log on')
  })

  it('do not hold requests to the built-in backend unless the administrator wants them', () => {
    expect(locationLines(shop(), 'location /', '_')).toContain('access_log off')
    const logged = shop({ configMap: { 'enable-access-log-for-default-backend': 'true' } })
    expect(locationLines(logged, 'location /', '_')).not.toContain('access_log off')
  })
})
