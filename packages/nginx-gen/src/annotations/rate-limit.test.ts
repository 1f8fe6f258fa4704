import { describe, expect, it } from 'vitest'
import { locationLines, shop } from '../testing/shop.ts'

describe('limits', () => {
  it('of requests per second come with five times the burst', () => {
    const built = shop({ annotations: { 'limit-rps': '10' } })
    expect(locationLines(built).find((line) => line.startsWith('limit_req'))).toMatch(
      /^limit_req zone=rps_[0-9a-f]{16} burst=50 nodelay$/,
    )
    expect(built.text).toMatch(/limit_req_zone \$limit_[0-9a-f]{16} zone=rps_[0-9a-f]{16}:5m rate=10r\/s;/)
  })

  it('of connections count per client address', () => {
    const built = shop({ annotations: { 'limit-connections': '2', 'limit-allowlist': '192.0.2.0/24' } })
    expect(built.text).toMatch(/limit_conn_zone \$limit_[0-9a-f]{16} zone=conn_/)
    expect(built.text).toContain('192.0.2.0/24 1;')
    expect(built.text).toContain('0 $binary_remote_addr;')
  })

  it('are absent without annotations', () => {
    expect(shop().text).not.toContain('limit_req_zone')
  })

  it('without a burst pass nothing beyond the rate, and connections keep to what nginx counts', () => {
    const annotations = { 'limit-rps': '10', 'limit-burst-multiplier': '0', 'limit-connections': '70000' }
    const lines = locationLines(shop({ annotations })).filter((line) => line.startsWith('limit_'))
    expect(lines.join('\n')).toMatch(/^limit_conn conn_[0-9a-f]{16} 65535\nlimit_req zone=rps_[0-9a-f]{16} nodelay$/)
  })

  it('that are no numbers refuse the Ingress', () => {
    expect(shop({ annotations: { 'limit-rps': 'ten' } }).translation.accepted).toEqual([])
  })
})
