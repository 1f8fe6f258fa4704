import { describe, expect, it } from 'vitest'
import { configMap } from '../testing/objects.ts'
import { shop } from '../testing/shop.ts'

const modules = {
  brotli: false,
  modsecurity: undefined,
  geoip2: ['/geo/GeoLite2-City.mmdb', '/geo/GeoIP2-ISP.mmdb', '/geo/GeoIP2-Domain.mmdb'],
}

describe('use-geoip2', () => {
  it('gives each database its variables', () => {
    const { text } = shop({ configMap: { 'use-geoip2': 'true' }, options: { modules } })
    expect(text).toContain('load_module /usr/lib/nginx/modules/ngx_http_geoip2_module.so;')
    expect(text).toMatch(
      /geoip2 \/geo\/GeoLite2-City\.mmdb \{\s+\$geoip2_city_country_code source=\$remote_addr country iso_code;/,
    )
    expect(text).toContain('$geoip2_asn source=$remote_addr default=0 autonomous_system_number;')
    expect(text).not.toContain('GeoIP2-Domain')
    expect(text).not.toContain('auto_reload')
  })

  it('reads changed databases again', () => {
    const data = { 'use-geoip2': 'true', 'geoip2-autoreload-in-minutes': '5' }
    expect(shop({ configMap: data, options: { modules } }).text).toContain('auto_reload 5m;')
  })

  it('loads nothing while it is off', () => {
    expect(shop({ options: { modules } }).text).not.toContain('geoip2')
  })

  it('is a problem and nothing else without the module or a database', () => {
    const { text, problems } = shop({ configMap: { 'use-geoip2': 'true' } })
    expect(text).not.toContain('geoip2')
    expect(problems.map(({ code, path }) => [code, path])).toEqual([['NGX_SETTING_UNAVAILABLE', 'data["use-geoip2"]']])
  })

  it('lets headers name its variables, which nginx does not know otherwise', () => {
    const headers = configMap('ingress/headers', { 'X-Country': '$geoip2_city_country_code' })
    const data = { 'proxy-set-headers': 'ingress/headers' }
    const on = shop({ configMap: { ...data, 'use-geoip2': 'true' }, objects: [headers], options: { modules } })
    expect(on.text).toContain('X-Country $geoip2_city_country_code')
    const off = shop({ configMap: data, objects: [headers], options: { modules } })
    expect(off.text).not.toContain('X-Country')
  })
})
