import { expect, it } from 'vitest'
import { configMap } from '../testing/objects.ts'
import { shop } from '../testing/shop.ts'

it('a header of proxy-set-headers takes the place of the one that the controller sends, whatever its case', () => {
  const objects = [configMap('shop/up', { 'x-forwarded-proto': 'https', 'X-More': 'a' })]
  const { text } = shop({ configMap: { 'proxy-set-headers': 'shop/up' }, objects })
  const sent = [...text.matchAll(/^ {2}proxy_set_header (\S+) (.*);$/gim)].map(([, name, value]) => `${name} ${value}`)
  expect(sent.filter((line) => /^x-forwarded-proto|^X-More/i.test(line))).toEqual([
    'x-forwarded-proto https',
    'X-More a',
  ])
})
