import { describe, expect, it } from 'vitest'
import { parseRoute } from './route.ts'

describe('paths', () => {
  it.each([
    ['/api/v1/services', { group: '', version: 'v1', namespace: '', plural: 'services', name: '' }],
    ['/api/v1/namespaces/shop/services/tea', { namespace: 'shop', plural: 'services', name: 'tea' }],
    ['/api/v1/namespaces/shop', { namespace: '', plural: 'namespaces', name: 'shop', subresource: '' }],
    ['/api/v1/namespaces/shop/status', { namespace: '', plural: 'namespaces', name: 'shop', subresource: 'status' }],
    ['/api/v1/namespaces/shop/pods/p/log', { plural: 'pods', name: 'p', subresource: 'log' }],
    [
      '/apis/networking.k8s.io/v1/ingressclasses/nginx',
      { group: 'networking.k8s.io', plural: 'ingressclasses', name: 'nginx' },
    ],
    ['/api/v1/watch/namespaces/shop/configmaps', { isLegacyWatch: true, namespace: 'shop', plural: 'configmaps' }],
    ['/api/v1/namespaces/shop/configmaps/a%2Fb', { name: 'a/b' }],
    ['/api/v1/namespaces/shop/configmaps/%zz', { name: '%zz' }],
  ])('%s is a resource', (path, wanted) => {
    expect(parseRoute(path)).toMatchObject({ kind: 'resource', ...wanted })
  })

  it.each(['/', '/api', '/apis', '/api/v1', '/apis/apps', '/apis/apps/v1', '/version', '/openapi/v3/api/v1'])(
    '%s is not',
    (path) => {
      expect(parseRoute(path)).toEqual({ kind: 'plain', path })
    },
  )
})
