import { describe, expect, it } from 'vitest'
import { renderRouted } from '../routes/render-routed.ts'
import { locationLines, type ShopOptions, shop } from '../testing/shop.ts'

const modules = {
  brotli: true,
  modsecurity: { rules: '/etc/nginx/modsecurity.conf', coreRules: '/usr/share/modsecurity-crs/owasp-crs.load' },
  geoip2: undefined,
}
const built = (test: ShopOptions) => shop({ ...test, options: { modules } })

/** Lines about the firewall in the shop's location. */
function lines(annotations: { readonly [name: string]: string }, configMap: { readonly [key: string]: string } = {}) {
  const risky = { 'annotations-risk-level': 'Critical', ...configMap }
  return locationLines(built({ annotations, configMap: risky })).filter((line) => line.startsWith('modsecurity'))
}

describe('ModSecurity', () => {
  const on = { 'enable-modsecurity': 'true' }
  const snippets = { 'allow-snippet-annotations': 'true' }
  const rows: readonly (readonly [
    fact: string,
    annotations: { readonly [name: string]: string },
    configMap: { readonly [key: string]: string },
    lines: readonly string[],
  ])[] = [
    ['is off by default', {}, {}, []],
    [
      'inspects by the installed rules',
      on,
      {},
      ['modsecurity on', 'modsecurity_rules_file /etc/nginx/modsecurity.conf'],
    ],
    [
      'adds the core rules',
      { ...on, 'enable-owasp-core-rules': 'true', 'modsecurity-transaction-id': '$request_id' },
      {},
      [
        'modsecurity on',
        'modsecurity_transaction_id $request_id',
        'modsecurity_rules_file /etc/nginx/modsecurity.conf',
        'modsecurity_rules_file /usr/share/modsecurity-crs/owasp-crs.load',
      ],
    ],
    [
      'takes rules of the Ingress instead',
      { ...on, 'modsecurity-snippet': 'SecRuleEngine On' },
      snippets,
      ['modsecurity on', 'modsecurity_rules "SecRuleEngine On"'],
    ],
    [
      'leaves them out where snippets are off',
      { ...on, 'modsecurity-snippet': 'SecRuleEngine On' },
      {},
      ['modsecurity on', 'modsecurity_rules_file /etc/nginx/modsecurity.conf'],
    ],
    ['adds nothing where it is on for all', on, { 'enable-modsecurity': 'true' }, []],
    ['may be left', { 'enable-modsecurity': 'false' }, { 'enable-modsecurity': 'true' }, ['modsecurity off']],
    ['does nothing for the core rules alone', { 'enable-owasp-core-rules': 'true' }, {}, []],
  ]
  it.each(rows)('%s', (_, annotations, configMap, wanted) => {
    expect(lines(annotations, configMap)).toEqual(wanted)
  })

  it('reads escapes as nginx does, and keeps a dollar', () => {
    const rules = String.raw`SecRule ARGS "@rx ^\\d\'$" "id:1,deny"`
    expect(lines({ ...on, 'modsecurity-snippet': rules }, snippets)[1]).toBe(
      String.raw`modsecurity_rules "SecRule ARGS \"@rx ^\\d'$\" \"id:1,deny\""`,
    )
  })

  it('refuses rules that end early', () => {
    const configMap = { ...snippets, 'annotations-risk-level': 'Critical' }
    const annotations = { ...on, 'modsecurity-snippet': "SecRuleEngine On'; lua_code_cache off; '" }
    expect(built({ annotations, configMap }).translation.accepted).toEqual([])
  })

  it('for all stands in http and not where nginx asks itself', () => {
    const configMap = {
      'enable-modsecurity': 'true',
      'enable-owasp-modsecurity-crs': 'true',
      'custom-http-errors': '503',
    }
    const { text } = built({ configMap, annotations: { 'auth-url': 'http://auth.example/' } })
    expect(text).toMatch(
      /modsecurity on;\n {2}modsecurity_rules_file \/etc\/nginx\/modsecurity\.conf;\n {2}modsecurity_rules_file/,
    )
    for (const place of ['location = /_external-auth', 'location @custom_upstream-default-backend_503']) {
      expect(text.slice(text.indexOf(place)).split('}')[0]).toContain('modsecurity off;')
    }
  })

  it('keeps hosts out of the router, which is the first location of a request there', () => {
    const { value } = built({ annotations: on }).translation
    expect(renderRouted(value).hosts.find(({ host }) => host === 'tea.example')?.kind).toBe('static')
    const all = built({ configMap: { 'enable-modsecurity': 'true' } }).translation.value
    expect(renderRouted(all).hosts.every(({ kind }) => kind === 'static')).toBe(true)
  })

  it('is reported and changes nothing where its module is not installed', () => {
    const plain = shop({ annotations: on })
    expect(plain.problems.map(({ code }) => code)).toEqual(['NGX_ANNOTATION_UNAVAILABLE'])
    expect(locationLines(plain)).toEqual(locationLines(shop()))
    const setting = shop({ configMap: { 'enable-modsecurity': 'true' } })
    expect(setting.problems.map(({ code }) => code)).toEqual(['NGX_SETTING_UNAVAILABLE'])
    expect(setting.text).not.toContain('modsecurity')
  })
})

describe('brotli', () => {
  it('compresses where its module is installed', () => {
    const { text, problems } = built({ configMap: { 'enable-brotli': 'true', 'brotli-level': '6' } })
    expect(text).toContain('load_module /usr/lib/nginx/modules/ngx_http_brotli_filter_module.so;')
    expect(text).toMatch(
      /brotli on;\s+brotli_comp_level 6;\s+brotli_min_length 20;\s+brotli_types application\/xml\+rss /,
    )
    expect(problems).toEqual([])
  })
})
