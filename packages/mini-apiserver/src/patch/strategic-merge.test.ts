import { describe, expect, it } from 'vitest'
import { StrategicPatchError, strategicMerge } from './strategic-merge.ts'

const pod = {
  spec: {
    containers: [
      { name: 'a', image: '1', ports: [{ containerPort: 80 }] },
      { name: 'b', image: '1' },
    ],
    volumes: [{ name: 'v', emptyDir: {} }],
  },
}
const names = (object: unknown) => (object as typeof pod).spec.containers.map(({ name }) => name)

describe('strategic merge patch', () => {
  it('merges list elements by their key and puts new ones in front', () => {
    const result = strategicMerge(pod, { spec: { containers: [{ name: 'c' }, { name: 'a', image: '2' }] } }, 'core.Pod')
    expect(names(result)).toEqual(['c', 'a', 'b'])
    expect(result).toMatchObject({ spec: { containers: [{}, { image: '2', ports: [{ containerPort: 80 }] }, {}] } })
  })

  it.each([
    [
      'asked order',
      { containers: [{ name: 'c' }], '$setElementOrder/containers': [{ name: 'b' }, { name: 'c' }, { name: 'a' }] },
      ['b', 'c', 'a'],
    ],
    [
      'an order that does not name all keeps the others where they were',
      { '$setElementOrder/containers': [{ name: 'b' }] },
      ['a', 'b'],
    ],
    ['delete one', { containers: [{ name: 'a', $patch: 'delete' }] }, ['b']],
    ['replace all', { containers: [{ $patch: 'replace' }, { name: 'z' }] }, ['z']],
  ])('%s', (_name, spec, wanted) => {
    expect(names(strategicMerge(pod, { spec } as never, 'core.Pod'))).toEqual(wanted)
  })

  it('finalizers are a set, and values can be taken out of it', () => {
    const object = { metadata: { finalizers: ['a', 'b'] } }
    expect(strategicMerge(object, { metadata: { finalizers: ['c', 'a'] } }, 'core.Pod')).toEqual({
      metadata: { finalizers: ['a', 'b', 'c'] },
    })
    const patch = { metadata: { '$deleteFromPrimitiveList/finalizers': ['a'] } }
    expect(strategicMerge(object, patch, 'core.Pod')).toEqual({ metadata: { finalizers: ['b'] } })
  })

  it('a list without a key is replaced, an object with $patch: replace too, null removes', () => {
    const service = { spec: { externalIPs: ['192.0.2.1'], selector: { a: 'b' }, type: 'NodePort' } }
    const patch = { spec: { externalIPs: ['192.0.2.2'], selector: { $patch: 'replace', c: 'd' }, type: null } }
    expect(strategicMerge(service, patch, 'core.Service')).toEqual({
      spec: { externalIPs: ['192.0.2.2'], selector: { c: 'd' } },
    })
  })

  it('$retainKeys drops the other sources of a volume', () => {
    const patch = { spec: { volumes: [{ name: 'v', $retainKeys: ['name', 'hostPath'], hostPath: { path: '/x' } }] } }
    expect(strategicMerge(pod, patch, 'core.Pod')).toMatchObject({
      spec: { volumes: [{ name: 'v', hostPath: { path: '/x' } }] },
    })
    expect(JSON.stringify(strategicMerge(pod, patch, 'core.Pod'))).not.toMatch(/emptyDir/)
  })

  it('refuses an element without its key', () => {
    expect(() => strategicMerge(pod, { spec: { containers: [{ image: 'x' }] } }, 'core.Pod')).toThrow(
      StrategicPatchError,
    )
  })
})
