import { describe, expect, it } from 'vitest'
import { ingress } from '../kinds/ingress.ts'
import { node } from '../kinds/node.ts'
import { service } from '../kinds/service.ts'
import { matchesFields, parseFieldSelector } from './field-selector.ts'

const tea = {
  kind: 'Service',
  apiVersion: 'v1',
  metadata: { name: 'tea', namespace: 'shop' },
  spec: { type: 'ClusterIP', clusterIP: 'None' },
}

describe('field selectors', () => {
  it.each([
    ['spec.clusterIP=None', true],
    ['spec.clusterIP!=None', false],
    ['spec.type==ClusterIP,metadata.name=tea', true],
    ['metadata.namespace=shop', true],
    [',spec.type!=NodePort', true],
    ['metadata.name=', false],
    ['metadata.name=te\\,a', false],
  ])('%s', (text, wanted) => {
    expect(matchesFields(parseFieldSelector(text, service), tea, service)).toBe(wanted)
  })

  it.each([
    ['foo=bar', service, 'field label not supported: foo'],
    ['foo=bar', ingress, '"foo" is not a known field selector: only "metadata.name", "metadata.namespace"'],
    ['metadata.namespace=x', node, 'field label not supported: metadata.namespace'],
    ['spec.type', service, "invalid selector: 'spec.type'; can't understand 'spec.type'"],
    ['constructor=x', service, 'field label not supported: constructor'],
  ])('refuses %s', (text, kind, message) => {
    expect(() => parseFieldSelector(text, kind)).toThrow(message)
  })
})
