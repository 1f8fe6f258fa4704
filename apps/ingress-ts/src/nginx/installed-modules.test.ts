import { describe, expect, it } from 'vitest'
import { installedModules } from './installed-modules.ts'

describe('optional modules', () => {
  const rows: readonly (readonly [string, readonly string[], ReturnType<typeof installedModules>])[] = [
    ['are none in an image without them', [], { brotli: false, modsecurity: undefined }],
    ['may be brotli', ['/m/ngx_http_brotli_filter_module.so'], { brotli: true, modsecurity: undefined }],
    [
      'may be ModSecurity with the rules of Debian’s packages',
      ['/m/ngx_http_modsecurity_module.so', '/etc/nginx/modsecurity.conf', '/usr/share/modsecurity-crs/owasp-crs.load'],
      {
        brotli: false,
        modsecurity: { rules: '/etc/nginx/modsecurity.conf', coreRules: '/usr/share/modsecurity-crs/owasp-crs.load' },
      },
    ],
    [
      'prefer the rules of an ingress-nginx image',
      ['/m/ngx_http_modsecurity_module.so', '/etc/nginx/modsecurity.conf', '/etc/nginx/modsecurity/modsecurity.conf'],
      { brotli: false, modsecurity: { rules: '/etc/nginx/modsecurity/modsecurity.conf', coreRules: undefined } },
    ],
    ['are none without rules', ['/m/ngx_http_modsecurity_module.so'], { brotli: false, modsecurity: undefined }],
  ]
  it.each(rows)('%s', (_, files, modules) => {
    expect(installedModules('/m', (path) => files.includes(path))).toEqual(modules)
  })
})
