import { describe, expect, it } from 'vitest'
import { secret } from '../testing/objects.ts'
import { locationLines, shop } from '../testing/shop.ts'

const objects = [
  secret('shop/file', { auth: 'ada:$apr1$x\n' }),
  secret('shop/map', { ada: '$apr1$x', bob: '$apr1$y' }),
  secret('shop/evil', { ada: 'x\nroot:y' }),
  secret('shop/empty', {}),
  secret('other/file', { auth: 'eve:z' }),
]

describe('auth-type: basic', () => {
  it('asks for the passwords of the Secret', () => {
    const built = shop({
      objects,
      annotations: { 'auth-type': 'basic', 'auth-secret': 'file', 'auth-realm': 'Shop floor' },
    })
    const lines = locationLines(built)
    expect(lines).toContain('auth_basic "Shop floor"')
    expect(lines).toContain('proxy_set_header Authorization ""')
    const file = built.translation.value.files[0]
    expect(file).toMatchObject({ content: 'ada:$apr1$x\n', isSecret: true })
    expect(lines).toContain(`auth_basic_user_file /etc/ingress-controller/files/${file?.name}`)
  })

  it('goes on asking where the realm is the word by which nginx stops asking', () => {
    const annotations = { 'auth-type': 'basic', 'auth-secret': 'file', 'auth-realm': 'off' }
    expect(locationLines(shop({ objects, annotations }))).toContain('auth_basic "off "')
  })

  it('reads a map of users in one order', () => {
    const annotations = { 'auth-type': 'basic', 'auth-secret': 'map', 'auth-secret-type': 'auth-map' }
    expect(shop({ objects, annotations }).translation.value.files[0]?.content).toBe('ada:$apr1$x\nbob:$apr1$y\n')
  })

  it('names files by hash, so that namespaces cannot collide', () => {
    const name = shop({ objects, annotations: { 'auth-type': 'basic', 'auth-secret': 'file' } }).translation.value
      .files[0]?.name
    expect(name).toMatch(/^passwd-[0-9a-f]{32}$/)
  })

  const denied: readonly (readonly [string, { readonly [name: string]: string }])[] = [
    ['no Secret', { 'auth-type': 'basic' }],
    ['a Secret that does not exist', { 'auth-type': 'basic', 'auth-secret': 'gone' }],
    ['a Secret without passwords', { 'auth-type': 'basic', 'auth-secret': 'empty' }],
    ['a Secret of another namespace', { 'auth-type': 'basic', 'auth-secret': 'other/file' }],
    ['a path for a Secret', { 'auth-type': 'basic', 'auth-secret': '../file' }],
    ['a password that adds a user', { 'auth-type': 'basic', 'auth-secret': 'evil', 'auth-secret-type': 'auth-map' }],
    ['digest, which is not available', { 'auth-type': 'digest', 'auth-secret': 'file' }],
  ]
  it.each(denied)('%s denies', (_, annotations) => {
    const built = shop({ objects, annotations })
    expect(locationLines(built)).toContain('return 503')
    expect(built.translation.value.files).toEqual([])
  })

  it('another namespace is fine where the administrator allows it', () => {
    const annotations = { 'auth-type': 'basic', 'auth-secret': 'other/file' }
    const built = shop({ objects, annotations, configMap: { 'allow-cross-namespace-resources': 'true' } })
    expect(built.translation.value.files[0]?.content).toBe('eve:z')
  })

  it('a type that is none refuses the Ingress', () => {
    expect(shop({ annotations: { 'auth-type': 'basicx' } }).translation.accepted).toEqual([])
  })
})
