import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeAtomic } from './write-atomic.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubewire-'))
})
afterEach(async () => rm(folder, { recursive: true }))

test('a file is replaced whole, with the mode asked for, and nothing is left beside it', async () => {
  const path = join(folder, 'nginx.conf')
  await writeFile(path, 'old')
  await chmod(path, 0o600)
  await writeAtomic(path, 'new', { mode: 0o640 })
  expect(await readFile(path, 'utf8')).toBe('new')
  expect((await stat(path)).mode & 0o777).toBe(0o640)
  expect(await readdir(folder)).toEqual(['nginx.conf'])
})

test('a write that cannot happen leaves nothing behind', async () => {
  await expect(writeAtomic(folder, 'text')).rejects.toThrow()
  expect(await readdir(folder)).toEqual([])
})

test('writers at the same time do not disturb each other', async () => {
  const path = join(folder, 'x')
  await Promise.all(Array.from({ length: 20 }, (_, i) => writeAtomic(path, String(i))))
  expect(await readdir(folder)).toEqual(['x'])
})
