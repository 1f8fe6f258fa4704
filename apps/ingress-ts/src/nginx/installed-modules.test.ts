import { describe, expect, it } from 'vitest'
import { installedModules } from './installed-modules.ts'

const none = { brotli: false, modsecurity: undefined, geoip2: undefined }
const city = '/etc/ingress-controller/geoip/GeoLite2-City.mmdb'
const asn = '/etc/ingress-controller/geoip/GeoLite2-ASN.mmdb'

describe('optional modules', () => {
  const rows: readonly (readonly [string, readonly string[], ReturnType<typeof installedModules>])[] = [
    ['are none in an image without them', [], { brotli: false, modsecurity: undefined, geoip2: undefined }],
    [
      'may be brotli',
      ['/m/ngx_http_brotli_filter_module.so'],
      { brotli: true, modsecurity: undefined, geoip2: undefined },
    ],
    [
      'may be ModSecurity with the rules of Debian’s packages',
      ['/m/ngx_http_modsecurity_module.so', '/etc/nginx/modsecurity.conf', '/usr/share/modsecurity-crs/owasp-crs.load'],
      {
        brotli: false,
        modsecurity: { rules: '/etc/nginx/modsecurity.conf', coreRules: '/usr/share/modsecurity-crs/owasp-crs.load' },
        geoip2: undefined,
      },
    ],
    [
      'prefer the rules of an ingress-nginx image',
      ['/m/ngx_http_modsecurity_module.so', '/etc/nginx/modsecurity.conf', '/etc/nginx/modsecurity/modsecurity.conf'],
      {
        brotli: false,
        modsecurity: { rules: '/etc/nginx/modsecurity/modsecurity.conf', coreRules: undefined },
        geoip2: undefined,
      },
    ],
    [
      'are none without rules',
      ['/m/ngx_http_modsecurity_module.so'],
      { brotli: false, modsecurity: undefined, geoip2: undefined },
    ],
    ['may be GeoIP2 with all databases', ['/m/ngx_http_geoip2_module.so', city, asn], { ...none, geoip2: [city, asn] }],
    ['are none without one of the databases', ['/m/ngx_http_geoip2_module.so', city], none],
    ['are none with databases and no module', [city, asn], none],
  ]
  it.each(rows)('%s', (_, files, modules) => {
    expect(installedModules('/m', ['GeoLite2-City', 'GeoLite2-ASN'], (path) => files.includes(path))).toEqual(modules)
  })
})
