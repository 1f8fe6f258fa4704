import { describe, expect, it } from 'vitest'
import { locationLines, serverLines, shop } from '../testing/shop.ts'

const open = { 'allow-snippet-annotations': 'true', 'annotations-risk-level': 'Critical' }

describe('snippets', () => {
  it('are refused by the risk level as it comes', () => {
    const built = shop({ annotations: { 'configuration-snippet': 'return 204;' } })
    expect(built.translation.accepted).toEqual([])
    expect(built.problems[0]?.code).toBe('NGX_ANNOTATION_RISK')
  })

  it('are left out where only the risk level admits them', () => {
    const built = shop({
      annotations: { 'configuration-snippet': 'return 299;' },
      configMap: { 'annotations-risk-level': 'Critical' },
    })
    expect(locationLines(built).join()).not.toContain('299')
    expect(built.translation.accepted).toHaveLength(1)
  })

  it('stand in their block where both are open', () => {
    const annotations = { 'configuration-snippet': 'more_set_headers "X-A: 1";', 'server-snippet': 'gzip on;' }
    const built = shop({ annotations, configMap: open })
    expect(locationLines(built)).toContain('more_set_headers "X-A: 1"')
    expect(serverLines(built)).toContain('gzip on')
  })

  it.each([
    ['an unbalanced brace', '} location /x { return 299;'],
    ['a missing semicolon', 'return 204'],
    ['Lua', 'content_by_lua_block { ngx.say(1) }'],
    ['a module', 'load_module /tmp/x.so;'],
    ['a file', 'location /x { alias /etc; }'],
    ['a socket', 'proxy_pass http://unix:/run/x.sock;'],
  ])('%s refuses the Ingress even then', (_, text) => {
    const built = shop({ annotations: { 'configuration-snippet': text }, configMap: open })
    expect(built.translation.accepted).toEqual([])
  })

  it('of the administrator always stand', () => {
    const built = shop({
      configMap: { 'location-snippet': 'more_set_headers "X-L: 1";', 'http-snippet': 'gunzip on;' },
    })
    expect(locationLines(built)).toContain('more_set_headers "X-L: 1"')
    expect(built.text).toContain('gunzip on;')
  })
})
