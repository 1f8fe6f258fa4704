import { snapshotOf } from '@kubewire/kube-model'
import { ingress } from '@kubewire/kube-model/testing'
import { dynamicData, translateIngresses } from '@kubewire/nginx-gen'
import { describe, expect, it } from 'vitest'
import { createPatternAudit } from './pattern-audit.ts'

const service = (path: string) => ({
  path,
  pathType: 'ImplementationSpecific',
  backend: { service: { name: 'tea', port: { number: 80 } } },
})

function stateOf(...paths: readonly string[]): Parameters<ReturnType<typeof createPatternAudit>>[0] {
  const rules = [{ host: 'a.example.org', http: { paths: paths.map(service) } }]
  const one = ingress('shop/front', { rules } as never, { 'nginx.ingress.kubernetes.io/use-regex': 'true' })
  const { value: model } = translateIngresses(snapshotOf([one]), { watchWithoutClass: true })
  const data = dynamicData(model, () => [], { 'a.example.org': '{}' })
  return { model, data }
}

describe('the audit of path expressions', () => {
  it('asks about each once and names the field of what is refused', async () => {
    const asked: (readonly string[])[] = []
    const audit = createPatternAudit({
      refusedPatterns: async (patterns) => {
        asked.push(patterns)
        return new Map(patterns.filter((one) => one.includes('b')).map((one) => [one, 'too large'] as const))
      },
    })
    expect(await audit(stateOf('/a'))).toEqual([])
    expect(await audit(stateOf('/a', '/b'))).toEqual([
      {
        ingress: 'shop/front',
        field: 'spec.rules[0].http.paths[1]',
        message: 'the path cannot be used as an expression: too large',
      },
    ])
    expect(await audit(stateOf('/a'))).toEqual([])
    expect(asked.map((patterns) => patterns.filter((one) => one !== '^/'))).toEqual([['^/a'], ['^/b']])
  })
})
