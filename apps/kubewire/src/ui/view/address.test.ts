import { describe, expect, test } from 'vitest'
import { type Address, parseAddress, printAddress } from './address.ts'

describe('a link to what is shown', () => {
  const rows: readonly (readonly [Address, string, string])[] = [
    [{ view: 'map' }, '#map', 'the map'],
    [{ view: 'findings' }, '#findings', 'the findings'],
    [
      { view: 'path', card: '', question: { kind: 'name', name: 'tea.shop', type: 'A', client: '' } },
      '#name?name=tea.shop',
      'a name; what is usual is left out',
    ],
    [
      {
        view: 'path',
        card: 'plugin 0 kubernetes',
        question: { kind: 'name', name: 'tea', type: 'SRV', client: 'pod/shop/toolbox' },
      },
      '#name?name=tea&type=SRV&client=pod%2Fshop%2Ftoolbox&at=plugin+0+kubernetes',
      'a name asked by a pod, with the card that is looked at',
    ],
    [
      {
        view: 'path',
        card: '',
        question: {
          kind: 'connection',
          from: '2001:db8::9',
          to: 'service/shop/tea:http',
          protocol: 'udp',
          node: 'edge',
        },
      },
      '#connection?from=2001%3Adb8%3A%3A9&to=service%2Fshop%2Ftea%3Ahttp&protocol=udp&node=edge',
      'a connection',
    ],
    [
      {
        view: 'path',
        card: '',
        question: {
          kind: 'url',
          method: 'POST',
          url: 'https://shop.example.org/a?b=c&d=e#f',
          headers: ['X-A: 1', 'X-B: 2'],
        },
      },
      '#url?method=POST&url=https%3A%2F%2Fshop.example.org%2Fa%3Fb%3Dc%26d%3De%23f&header=X-A%3A+1&header=X-B%3A+2',
      'a request with headers, whose URL has marks of its own',
    ],
  ]
  test.each(rows)('%j is %s: %s', (address, hash) => {
    expect(printAddress(address)).toBe(hash)
    expect(parseAddress(hash)).toEqual(address)
  })

  test.each(['', '#', '#nonsense', '#nonsense?name=x', '?'])('%j, which means nothing, leads to the map', (hash) => {
    expect(parseAddress(hash)).toEqual({ view: 'map' })
  })
})
