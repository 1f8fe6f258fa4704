// The areas prove themselves on real case files through the libraries: a right file passes, the same file with one
// expectation made wrong fails, and a misspelt key anywhere is noticed.

import { describe, expect, it, vi } from 'vitest'
import type { Area, CaseFile, ProbeResult } from './area.ts'
import { loadArea } from './area-table.ts'
import { casesOfArea } from './find-cases.ts'
import { runCases } from './run-cases.ts'

vi.setConfig({ testTimeout: 60_000 })

/** Per area a case that passes, and how one expectation of it becomes wrong. */
const proofs: readonly {
  readonly area: Area['name']
  readonly file: string
  readonly from: string
  readonly to: string
}[] = [
  { area: 'api', file: 'api/update', from: '"status":200', to: '"status":299' },
  { area: 'dns', file: 'dns/clusterip-basic', from: '"rcode":"NOERROR"', to: '"rcode":"REFUSED"' },
  { area: 'proxy', file: 'proxy/cluster-ip-basic', from: '"masquerade":false', to: '"masquerade":true' },
  {
    area: 'ingress',
    file: 'ingress/path-exact-beside-prefix',
    from: '"contains":[',
    to: '"contains":["no_such_directive on",',
  },
]

async function outcomes(area: Area, file: CaseFile): Promise<readonly ProbeResult['outcome'][]> {
  const options = { target: 'ours', api: 'mini', via: 'library', settings: {}, caseLimitMs: 30_000 } as const
  const results = await runCases(area, { cases: [file], broken: [] }, { ...options, progress: () => {} })
  return results.flatMap(({ probes }) => probes.map(({ outcome }) => outcome))
}

describe.each(proofs)('the area $area', ({ area: name, file: id, from, to }) => {
  const setUp = async (): Promise<{ area: Area; file: CaseFile }> => {
    const area = await loadArea(name)
    const file = casesOfArea(area).cases.find((one) => `${one.suite}/${one.name}` === id)
    if (file === undefined) throw new Error(`no case ${id}`)
    return { area, file }
  }

  it('passes a right file, and fails it when one expectation is deliberately wrong', async () => {
    const { area, file } = await setUp()
    const right = await outcomes(area, file)
    expect(right).toContain('passed')
    expect(right).not.toContain('failed')
    const text = JSON.stringify(file.data)
    expect(text).toContain(from)
    const data = JSON.parse(text.replace(from, to)) as Record<string, unknown>
    expect(await outcomes(area, { ...file, data })).toContain('failed')
  })

  it('notices a key that its format does not have, at the top and inside', async () => {
    const { area, file } = await setUp()
    expect(area.unknownKeys(file)).toEqual([])
    expect(area.unknownKeys({ ...file, data: { ...file.data, expectt: {} } }).join()).toContain('expectt')
    for (const path of innerPaths(file.data)) {
      const data = structuredClone(file.data)
      Object.assign(at(data, path) as object, { expectt: 1 })
      expect(area.unknownKeys({ ...file, data }).join(), `at ${path.join('.')}`).toContain('expectt')
    }
  })
})

describe('files of all areas', () => {
  it('are claimed by their own area and by no other', async () => {
    const areas = await Promise.all(proofs.map(({ area }) => loadArea(area)))
    const wrong = areas.flatMap((owner) =>
      casesOfArea(owner).cases.flatMap((file) => {
        const claims = areas.filter((area) => area.claims(file.data)).map(({ name }) => name)
        return claims.join() === owner.name ? [] : [`${file.suite}/${file.name}: ${claims.join() || 'nobody'}`]
      }),
    )
    expect(wrong).toEqual([])
  })
})

/** Paths of the first probe and of its expectation, in whatever list the format keeps them. */
function innerPaths(data: Readonly<Record<string, unknown>>): (string | number)[][] {
  const list = ['queries', 'flows', 'requests', 'steps'].find((key) => Array.isArray(data[key]))
  if (list === undefined) return []
  const first = (data[list] as Readonly<Record<string, unknown>>[])[0] ?? {}
  return [[list, 0], ...('expect' in first ? [[list, 0, 'expect']] : [])]
}

function at(data: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<string | number, unknown>)[key], data)
}
