import { describe, expect, it } from 'vitest'
import { configMap } from '../testing/objects.ts'
import { locationLines, shop } from '../testing/shop.ts'

const objects = [
  configMap('shop/good', { 'X-Team': 'tea $ and more' }),
  configMap('shop/other', { 'X-Secret': 'a' }),
  configMap('shop/evil', { 'X-Team': 'a\r\nX-Pwned: 1' }),
]
const admitted = { 'global-allowed-response-headers': 'X-Team' }

describe('custom-headers', () => {
  it('adds headers of the ConfigMap, in which a dollar is a dollar', () => {
    const built = shop({ objects, configMap: admitted, annotations: { 'custom-headers': 'shop/good' } })
    expect(locationLines(built)).toContain('more_set_headers "X-Team: tea ${literal_dollar} and more"')
  })

  it('may come from a ConfigMap of another namespace', () => {
    const annotations = { 'custom-headers': 'edge/all' }
    const built = shop({ objects: [configMap('edge/all', { 'X-Team': 'edge' })], configMap: admitted, annotations })
    expect(locationLines(built)).toContain('more_set_headers "X-Team: edge"')
  })

  it.each([
    ['a header that is not admitted', 'shop/other'],
    ['a value with a line break', 'shop/evil'],
    ['a ConfigMap that does not exist', 'shop/gone'],
    ['a ConfigMap without its namespace', 'good'],
    ['a name that is none', 'a b'],
  ])('%s denies', (_, value) => {
    const built = shop({ objects, configMap: admitted, annotations: { 'custom-headers': value } })
    expect(locationLines(built)).toContain('return 503')
  })
})
