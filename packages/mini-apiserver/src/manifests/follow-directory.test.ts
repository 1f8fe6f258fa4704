import type { Problem } from '@kubewire/kube-model'
import { describe, expect, it } from 'vitest'
import { createTestServer } from '../testing/in-process.ts'
import { createFileReader, createFollower } from './follow-directory.ts'
import { readManifestFile } from './manifest-set.ts'

const service = (name: string, port = 80) =>
  `apiVersion: v1\nkind: Service\nmetadata: {name: ${name}, namespace: shop}\nspec: {ports: [{port: ${port}}]}\n`

function scene() {
  const server = createTestServer()
  const problems: Problem[] = []
  const follower = createFollower(server.state, (problem) => problems.push(problem))
  const update = (files: { [name: string]: string }) =>
    follower.update(
      new Map(Object.entries(files).map(([name, text]) => [name, readManifestFile({ name, kind: 'text', text })])),
    )
  const names = () =>
    server.state.storage
      .collection('services')
      .listIn('shop')
      .map(({ metadata }) => metadata.name)
  const codes = () => problems.map(({ code, position }) => `${code} ${position?.file}:${position?.line}`)
  return { server, problems, update, names, codes, follower }
}

describe('following manifests', () => {
  it('writes what is declared, makes the namespace, and deletes what is no longer declared', () => {
    const { update, names } = scene()
    update({ 'a.yaml': `${service('one')}---\n${service('two')}` })
    expect(names()).toEqual(['one', 'two'])
    update({ 'a.yaml': service('two') })
    expect(names()).toEqual(['two'])
  })

  it('an unchanged file leaves alone what was written over the API', async () => {
    const { server, update } = scene()
    update({ 'a.yaml': service('one') })
    await server.ask(
      'PATCH /api/v1/namespaces/shop/services/one',
      { metadata: { labels: { x: 'y' } } },
      'application/merge-patch+json',
    )
    const version = server.state.storage.version()
    update({ 'a.yaml': service('one') })
    expect(server.state.storage.version()).toBe(version)
    update({ 'a.yaml': service('one', 81) })
    expect((await server.ask('GET /api/v1/namespaces/shop/services/one')).body['spec']).toMatchObject({
      ports: [{ port: 81 }],
    })
  })

  it('a half-written file keeps its last good state and says where it breaks', () => {
    const { update, names, codes } = scene()
    update({ 'a.yaml': service('one'), 'b.yaml': service('two') })
    update({ 'a.yaml': 'apiVersion: v1\nkind: [', 'b.yaml': service('two') })
    expect(names()).toEqual(['one', 'two'])
    expect(codes()).toEqual([expect.stringMatching(/^MODEL_YAML a\.yaml:\d$/)])
  })

  it('the first of two declarations counts; unknown kinds and refused objects are named, the rest is served', () => {
    const { update, names, problems, codes } = scene()
    const text = `${service('one')}---\n${service('bad', 0)}---\napiVersion: example.org/v1\nkind: Widget\nmetadata: {name: w}\n`
    update({ 'a.yaml': text, 'b.yaml': `${service('one', 99)}---\n${service('three')}` })
    expect(names()).toEqual(['one', 'three'])
    expect(codes()).toEqual([
      'API_MANIFEST_DUPLICATE b.yaml:1',
      'API_MANIFEST_REFUSED a.yaml:6',
      'API_MANIFEST_KIND a.yaml:11',
    ])
    expect(problems[1]).toMatchObject({
      path: 'spec.ports[0].port',
      object: { kind: 'Service', name: 'bad', namespace: 'shop' },
    })
  })

  it('the same problem is told once', () => {
    const { update, codes } = scene()
    update({ 'a.yaml': service('bad', 0) })
    update({ 'a.yaml': service('bad', 0), 'b.yaml': service('good') })
    expect(codes()).toHaveLength(1)
  })

  it('addresses of another cluster are taken as they are', async () => {
    const { server, update } = scene()
    update({
      'a.yaml':
        'apiVersion: v1\nkind: Service\nmetadata: {name: far, namespace: shop}\nspec: {clusterIP: 172.30.0.5, ports: [{port: 80}]}\n',
    })
    expect((await server.ask('GET /api/v1/namespaces/shop/services/far')).body['spec']).toMatchObject({
      clusterIP: '172.30.0.5',
    })
  })
})

describe('reading the files of a folder again and again', () => {
  it('parses a text once, a changed one anew, and one that was away, too', () => {
    const read = createFileReader()
    const file = (name: string, text: string) => ({ name, kind: 'text', text }) as const
    const first = read([file('a.yaml', service('one')), file('b.yaml', service('two'))])
    const second = read([file('a.yaml', service('one')), file('b.yaml', service('three'))])
    expect(second.get('a.yaml')).toBe(first.get('a.yaml'))
    expect(second.get('b.yaml')?.declared.map(({ object }) => object.metadata?.name)).toEqual(['three'])
    expect([...read([]).keys()]).toEqual([])
    expect(read([file('a.yaml', service('one'))]).get('a.yaml')).toEqual(first.get('a.yaml'))
  })
})
