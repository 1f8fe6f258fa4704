import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { snapshotOf } from '@kubewire/kube-model'
import { afterAll, describe, expect, it } from 'vitest'
import { loadExtension } from './extension-file.ts'
import { createStateRenderer, type NamedExtension } from './render-state.ts'

const dir = mkdtempSync(join(tmpdir(), 'extension-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

function fileWith(name: string, text: string): string {
  const file = join(dir, name)
  writeFileSync(file, text)
  return file
}

describe('The module of --extension', () => {
  it('is loaded again after a change, though Node keeps the modules it has loaded', async () => {
    const file = fileWith('one.mjs', 'export default () => ({ transform: (tree) => tree })')
    expect((await loadExtension(file, 1)).families).toBeUndefined()
    fileWith('one.mjs', 'export default () => ({ families: [] })')
    expect(await loadExtension(file, 2)).toEqual({ families: [], file })
  })

  it.each([
    { name: 'does not parse', text: 'export default {' },
    { name: 'throws while it is loaded', text: 'throw new Error("no")' },
    { name: 'exports nothing', text: 'export const a = 1' },
  ])('is refused when it $name', async ({ name, text }) => {
    await expect(loadExtension(fileWith(`${name.replaceAll(' ', '-')}.mjs`, text), 1)).rejects.toThrow()
  })
})

describe('An extension that does not work', () => {
  const renderer = () =>
    createStateRenderer({
      options: {},
      paths: {},
      routes: 'static',
      filesDir: '/files',
      fallbackCertificate: 'PEM',
      resolve: () => [],
    })
  const marked = (mark: string): NamedExtension => ({
    file: `${mark}.mjs`,
    transform: (tree) => [{ kind: 'comment', text: mark }, ...tree],
  })

  it('is given up for the last one that nginx accepted', () => {
    const one = renderer()
    const serve = () => 'serve' as const
    one.extend(marked('good'))
    one.accept(one.render(snapshotOf([]), serve))
    one.extend(marked('bad'))
    expect(one.render(snapshotOf([]), serve).text).toMatch(/^# bad/)
    expect(one.giveUpExtension()?.file).toBe('bad.mjs')
    expect(one.render(snapshotOf([]), serve).text).toMatch(/^# good/)
    expect(one.giveUpExtension()).toBeUndefined()
  })
})
