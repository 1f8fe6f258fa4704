import { describe, expect, it } from 'vitest'
import { shop } from '../testing/shop.ts'

/** Cookie affinity of the shop's backend. */
function affinity(annotations: { readonly [name: string]: string }) {
  return shop({ annotations, path: '/cart' }).translation.value.backends.find(({ name }) => name === 'shop-tea-80')
    ?.affinity
}

describe('cookie affinity', () => {
  it('is off without the annotation', () => {
    expect(affinity({ 'session-cookie-name': 'route' })).toBeUndefined()
  })

  it('has the original’s defaults and knows where it was asked for', () => {
    expect(affinity({ affinity: 'cookie' })).toMatchObject({
      mode: 'balanced',
      cookieName: 'INGRESSCOOKIE',
      secure: undefined,
      locations: { 'tea.example': ['/cart'] },
    })
  })

  it('takes what is valid and leaves out what is not', () => {
    const wish = affinity({
      affinity: 'cookie',
      'affinity-mode': 'persistent',
      'session-cookie-max-age': '60',
      'session-cookie-expires': 'soon',
      'session-cookie-samesite': 'Lax',
      'session-cookie-name': 'a; Domain=evil',
    })
    expect(wish).toMatchObject({ mode: 'persistent', maxAgeSeconds: 60, expiresSeconds: undefined, sameSite: 'Lax' })
    expect(wish?.cookieName).toBe('INGRESSCOOKIE')
  })

  it('writes no SameSite that is spelled in another way than browsers know', () => {
    expect(affinity({ affinity: 'cookie', 'session-cookie-samesite': 'lax' })?.sameSite).toBeUndefined()
  })
})
