import { snapshotOf } from '@kubewire/kube-model'
import { ingress } from '@kubewire/kube-model/testing'
import { describe, expect, it } from 'vitest'
import { defineFamily } from './annotations/define.ts'
import { printConfig } from './config/print.ts'
import { createExtension, type ExtensionKit } from './extension.ts'
import { renderConfig } from './render/render.ts'
import { translateIngresses } from './translate/translate.ts'

const named = (name: string) =>
  defineFamily({ name, annotations: [], resolve: () => undefined }) as ReturnType<typeof defineFamily>

describe('An extension', () => {
  it.each([
    { name: 'that is no function', made: {}, error: 'expected a function of the kit' },
    { name: 'that makes nothing', made: () => undefined, error: 'expected an object' },
    { name: 'whose families are no list', made: () => ({ families: 1 }), error: 'expected a list of families' },
    { name: 'with a family of nothing', made: () => ({ families: [{}] }), error: 'expected families with name' },
    {
      name: 'whose transform is no function',
      made: () => ({ transform: 1 }),
      error: 'expected a function as transform',
    },
    { name: 'that takes a name of ours', made: () => ({ families: [named('cors')] }), error: 'cors exists already' },
    {
      name: 'that takes a name of its own twice',
      made: () => ({ families: [named('team'), named('team')] }),
      error: 'team exists already',
    },
  ])('$name is refused', ({ made, error }) => expect(() => createExtension(made)).toThrow(error))

  it('adds an annotation whose text cannot leave its argument', () => {
    const { families = [] } = createExtension(
      ({ at, defineAnnotation, defineFamily, directive, literal, values }: ExtensionKit) => {
        const team = defineAnnotation({
          ...{ names: ['team'], group: 'other', scope: 'location', risk: 'Low', invalid: 'ignore', tier: 3 },
          ...{ value: values.textOf(/^.*$/, 'a name'), fallback: 'no header', summary: 'Names the team.' },
        } as Parameters<typeof defineAnnotation<string>>[0])
        const family = defineFamily({
          name: 'team',
          annotations: [team],
          resolve: (read) => read(team),
          render: (value) => [at('response', directive('more_set_headers', literal(`X-Team: ${value ?? 'none'}`)))],
        })
        return { families: [family] }
      },
    )
    const rules = [{ host: 'a.example.org', http: { paths: [] } }]
    const annotations = { 'nginx.ingress.kubernetes.io/team': '"; evil on; #' }
    const options = { watchWithoutClass: true, extraFamilies: families }
    const { value } = translateIngresses(snapshotOf([ingress('shop/a', { rules } as never, annotations)]), options)
    expect(printConfig(renderConfig(value))).toContain(String.raw`more_set_headers "X-Team: \"; evil on; #";`)
  })
})
