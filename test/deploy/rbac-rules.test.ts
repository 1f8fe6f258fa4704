import { describe, expect, it } from 'vitest'
import { isAllowed, listGrants, neededRight, printRight, type RbacRule } from './rbac-rules.ts'

describe('a request needs', () => {
  it.each([
    ['GET', '/api/v1/services?limit=500', 'list /services'],
    ['GET', '/api/v1/namespaces', 'list /namespaces'],
    ['GET', '/api/v1/namespaces/shop', 'get /namespaces named shop'],
    ['GET', '/api/v1/namespaces/shop/secrets/users', 'get /secrets named users in shop'],
    ['GET', '/api/v1/nodes?watch=true&fieldSelector=metadata.name%3Dedge', 'watch /nodes named edge'],
    ['GET', '/apis/discovery.k8s.io/v1/endpointslices?watch=1', 'watch discovery.k8s.io/endpointslices'],
    [
      'PATCH',
      '/apis/networking.k8s.io/v1/namespaces/shop/ingresses/tea/status',
      'patch networking.k8s.io/ingresses/status named tea in shop',
    ],
    ['POST', '/api/v1/namespaces/shop/events', 'create /events in shop'],
    ['GET', '/version', 'get /version'],
    ['GET', '/apis/networking.k8s.io/v1', 'get /apis/networking.k8s.io/v1'],
  ])('%s %s: %s', (method, url, needed) => {
    const { pathname, searchParams } = new URL(url, 'http://server')
    expect(printRight(neededRight(method, pathname, searchParams))).toBe(needed)
  })
})

describe('a rule', () => {
  const rows: readonly (readonly [name: string, rule: RbacRule, url: string, expected: boolean])[] = [
    ['gives what it names', { apiGroups: [''], resources: ['pods'], verbs: ['list'] }, '/api/v1/pods', true],
    ['gives no other verb', { apiGroups: [''], resources: ['pods'], verbs: ['watch'] }, '/api/v1/pods', false],
    ['gives no other group', { apiGroups: ['apps'], resources: ['pods'], verbs: ['list'] }, '/api/v1/pods', false],
    [
      'of a resource gives no subresource',
      { apiGroups: [''], resources: ['pods'], verbs: ['get'] },
      '/api/v1/namespaces/a/pods/b/log',
      false,
    ],
    [
      'with names gives those',
      { apiGroups: [''], resources: ['pods'], resourceNames: ['b'], verbs: ['get'] },
      '/api/v1/namespaces/a/pods/b',
      true,
    ],
    [
      'with names gives no others',
      { apiGroups: [''], resources: ['pods'], resourceNames: ['c'], verbs: ['get'] },
      '/api/v1/namespaces/a/pods/b',
      false,
    ],
    [
      'with names gives no collection',
      { apiGroups: [''], resources: ['pods'], resourceNames: ['b'], verbs: ['list'] },
      '/api/v1/pods',
      false,
    ],
    [
      'with names gives the collection of one name',
      { apiGroups: [''], resources: ['pods'], resourceNames: ['b'], verbs: ['list'] },
      '/api/v1/pods?fieldSelector=metadata.name%3Db',
      true,
    ],
    ['of everything gives it', { apiGroups: ['*'], resources: ['*'], verbs: ['*'] }, '/apis/apps/v1/deployments', true],
    ['of URLs gives those below a star', { nonResourceURLs: ['/version/*'], verbs: ['get'] }, '/version/long', true],
    ['of resources gives no URL', { apiGroups: ['*'], resources: ['*'], verbs: ['*'] }, '/version', false],
  ]
  it.each(rows)('%s', (_name, rule, url, expected) => {
    const { pathname, searchParams } = new URL(url, 'http://server')
    expect(isAllowed([{ rules: [rule] }], neededRight('GET', pathname, searchParams))).toBe(expected)
  })

  it('of a Role counts in its namespace only', () => {
    const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }]
    const asked = (path: string) =>
      isAllowed([{ namespace: 'shop', rules }], neededRight('GET', path, new URLSearchParams()))
    expect([
      asked('/api/v1/namespaces/shop/pods'),
      asked('/api/v1/namespaces/edge/pods'),
      asked('/api/v1/pods'),
    ]).toEqual([true, false, false])
  })

  it('is as many grants as it has verbs, groups and resources', () => {
    const rule = { apiGroups: ['', 'events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] }
    expect(listGrants([{ rules: [rule] }])).toEqual([
      'create /events',
      'create events.k8s.io/events',
      'patch /events',
      'patch events.k8s.io/events',
    ])
  })
})
