import { type KubeObject, snapshotOf } from '@kubewire/kube-model'
import { ingress } from '@kubewire/kube-model/testing'
import { describe, expect, it } from 'vitest'
import { checkConfig } from '../config/check.ts'
import { parseConfig } from '../config/parse.ts'
import { plainTree } from '../config/plain.ts'
import { printConfig } from '../config/print.ts'
import type { Model } from '../model/model.ts'
import { configMap } from '../testing/objects.ts'
import { createTranslator, translateIngresses } from '../translate/translate.ts'
import { createRoutedRenderer, readFrame, renderRouted } from './render-routed.ts'

const prefix = 'nginx.ingress.kubernetes.io/'
const options = { watchWithoutClass: true, configMap: 'shop/settings' }

function host(name: string, annotations: { readonly [name: string]: string } = {}): KubeObject {
  const named = Object.fromEntries(Object.entries(annotations).map(([key, value]) => [prefix + key, value]))
  const backend = { service: { name: 'tea', port: { number: 80 } } }
  const paths = [{ path: '/', pathType: 'Prefix' as const, backend }]
  return ingress(`shop/${name.replaceAll('.', '-')}`, { rules: [{ host: name, http: { paths } }] }, named)
}

const modelOf = (...objects: readonly KubeObject[]): Model => translateIngresses(snapshotOf(objects), options).value
const textOf = (model: Model): string => printConfig(renderRouted(model).tree)

describe('what is data changes no byte of the configuration', () => {
  const rows: readonly (readonly [fact: string, annotations: { readonly [name: string]: string }])[] = [
    ['another host', {}],
    ['another target of a redirect', { 'permanent-redirect': 'https://b.example.org/' }],
    ['another rewrite', { 'rewrite-target': '/b/$1' }],
    ['another prefix', { 'rewrite-target': '/$1', 'x-forwarded-prefix': '/b' }],
    ['another host for the backend', { 'upstream-vhost': 'b.example.org' }],
    ['another application root', { 'app-root': '/b' }],
  ]
  it.each(rows)('%s', (_, annotations) => {
    const other = Object.fromEntries(
      Object.entries(annotations).map(([name, value]) => [name, value.replace('b', 'a')]),
    )
    const one = modelOf(host('a.example.org', other))
    const two = modelOf(host('b.example.org', annotations), host('c.example.org', other))
    expect(textOf(two)).toBe(textOf(one))
  })

  it('other settings are another class and the same frame', () => {
    const one = renderRouted(modelOf(host('a.example.org')))
    const two = renderRouted(modelOf(host('a.example.org'), host('b.example.org', { 'proxy-read-timeout': '77' })))
    expect(two.frame).toBe(one.frame)
    expect(two.classes.length).toBe(one.classes.length + 1)
    expect(two.classes).toEqual(expect.arrayContaining([...one.classes]))
  })

  it('a setting of all hosts is another frame', () => {
    const one = renderRouted(modelOf(host('a.example.org')))
    const two = renderRouted(modelOf(host('a.example.org'), configMap('shop/settings', { 'keep-alive': '10' })))
    expect(two.frame).not.toBe(one.frame)
  })
})

it('a text that names what changes after the route is found stays in its class', () => {
  const { table } = renderRouted(modelOf(host('a.example.org', { 'rewrite-target': '/$uri/$1' })))
  expect(table['a.example.org']).not.toContain('route_uri')
})

it('the frame and the classes are read back from the text', () => {
  const routed = renderRouted(modelOf(host('a.example.org'), host('b.example.org', { 'proxy-read-timeout': '77' })))
  expect(readFrame(printConfig(routed.tree))).toEqual({ frame: routed.frame, classes: routed.rendered })
  expect(readFrame('http { }')).toBeUndefined()
})

it('the text parses back into its tree and passes the check', () => {
  const { tree } = renderRouted(modelOf(host('a.example.org', { 'app-root': '/x', 'auth-url': 'http://auth.test/' })))
  const { value, problems } = parseConfig(printConfig(tree))
  expect(problems).toEqual([])
  expect(plainTree(value)).toEqual(plainTree(tree))
  expect(checkConfig(tree)).toEqual([])
})

describe('a renderer that goes on', () => {
  it('says what one says that begins', () => {
    const translator = createTranslator(options)
    const renderer = createRoutedRenderer()
    const hosts = ['a', 'b', 'c'].map((name) => host(`${name}.example.org`))
    for (const objects of [
      hosts.slice(0, 1),
      hosts,
      hosts.slice(1),
      [...hosts, host('d.test', { 'app-root': '/x' })],
    ]) {
      const model = translator.translate(snapshotOf(objects)).value
      expect(renderer.render(model)).toEqual(renderRouted(model))
    }
  })

  it('keeps classes that nginx has and no route enters any more', () => {
    const renderer = createRoutedRenderer()
    const before = renderer.render(modelOf(host('a.example.org', { 'proxy-read-timeout': '77' })))
    const after = renderer.render(modelOf(host('a.example.org')), {}, before.rendered)
    expect(after.rendered).toEqual(expect.arrayContaining([...before.rendered]))
    expect(after.classes.length).toBeLessThan(after.rendered.length)
    expect(after.frame).toBe(before.frame)
  })
})
