import { ingress } from '@kubewire/kube-model/testing'
import { describe, expect, it } from 'vitest'
import { serverLines, shop } from '../testing/shop.ts'

const annotations = { 'from-to-www-redirect': 'true' }

describe('from-to-www-redirect', () => {
  it('redirects the name with www, port written, slash dropped', () => {
    expect(serverLines(shop({ annotations }), 'www.tea.example')).toContain(
      'return 308 $pass_access_scheme://tea.example:$pass_server_port$slashless_uri',
    )
  })

  it('redirects the name without www to the one with it', () => {
    expect(serverLines(shop({ annotations, host: 'www.tea.example' }), 'tea.example').join()).toContain(
      '://www.tea.example:',
    )
  })

  it('leaves a name alone that is a host of its own', () => {
    const other = ingress('shop/www', { rules: [{ host: 'www.tea.example' }] })
    expect(shop({ annotations, objects: [other] }).translation.value.wwwRedirects).toEqual([])
  })
})
