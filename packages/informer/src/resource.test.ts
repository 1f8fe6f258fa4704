import type { KubeObject, Pod } from '@kubewire/kube-model'
import { describe, expect, it } from 'vitest'
import { identityOf, projectObject, resourcePath, transformed } from './resource.ts'
import { Ingresses, Nodes, Pods, Services } from './resources.ts'

const raw: Pod = {
  metadata: { name: 'fig', namespace: 'orchard', uid: 'u1', resourceVersion: '7', labels: { app: 'fig' } },
  status: { podIP: '192.0.2.1' },
}

describe('the path of a resource', () => {
  it.each([
    ['/api/v1/services', resourcePath(Services as never)],
    ['/api/v1/namespaces/shop/services', resourcePath(Services as never, { namespace: 'shop' })],
    ['/api/v1/nodes/n1', resourcePath(Nodes as never, { namespace: 'ignored', name: 'n1' })],
    [
      '/apis/networking.k8s.io/v1/namespaces/shop/ingresses/front/status',
      resourcePath(Ingresses as never, { namespace: 'shop', name: 'front', subresource: 'status' }),
    ],
    ['/api/v1/namespaces/a%2Fb/services/..%2Fx', resourcePath(Services as never, { namespace: 'a/b', name: '../x' })],
  ])('%s', (path, made) => expect(made).toBe(path))
})

describe('a transformed resource', () => {
  it('carries uid and version along when the projection drops them', () => {
    const Slim = transformed(Pods, ({ metadata }) => ({
      metadata: { name: metadata?.name ?? '', namespace: metadata?.namespace ?? '' },
    }))
    expect(projectObject(Slim, raw)).toEqual({
      metadata: { name: 'fig', namespace: 'orchard', uid: 'u1', resourceVersion: '7' },
    })
  })

  it('leaves the received object as it was', () => {
    const Same = transformed(
      Pods,
      ({ metadata, status }) => ({ ...(metadata ? { metadata } : {}), ip: status?.podIP }) as KubeObject,
    )
    const before = JSON.stringify(raw)
    expect(projectObject(Same, raw)).toMatchObject({ metadata: { uid: 'u1' }, ip: '192.0.2.1' })
    expect(JSON.stringify(raw)).toBe(before)
  })

  it('copies what the projection returned frozen', () => {
    const Frozen = transformed(Pods, () => ({ metadata: Object.freeze({ name: 'fig' }) }))
    expect(projectObject(Frozen, raw)?.metadata).toEqual({ name: 'fig', uid: 'u1', resourceVersion: '7' })
  })

  it('hides what the projection answers with undefined', () => {
    const Labelled = transformed(Pods, (pod) => (pod.metadata?.labels ? pod : undefined))
    expect(projectObject(Labelled, raw)).toBe(raw)
    expect(projectObject(Labelled, { metadata: { name: 'pear' } })).toBeUndefined()
  })

  it('stacks', () => {
    const calls: string[] = []
    const First = transformed(Pods, (pod) => {
      calls.push('first')
      return pod.metadata?.name === 'fig' ? pod : undefined
    })
    const Second = transformed(First, (pod) => {
      calls.push('second')
      return pod
    })
    projectObject(Second, raw)
    projectObject(Second, { metadata: { name: 'pear' } })
    expect(calls).toEqual(['first', 'second', 'first'])
  })
})

it('an identity has name, namespace, uid and version and nothing else', () => {
  expect(identityOf(raw)).toEqual({ metadata: { name: 'fig', namespace: 'orchard', uid: 'u1', resourceVersion: '7' } })
  expect(identityOf({})).toEqual({ metadata: {} })
})
