import { appendFile, mkdir, mkdtemp, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { firstValueFrom, type Observable, ReplaySubject, type Subscription, take, toArray } from 'rxjs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type FileState, watchDirectory, watchFile } from './watch-file.ts'
import { writeAtomic } from './write-atomic.ts'

let folder = ''
let subscription: Subscription | undefined
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubewire-'))
})
afterEach(async () => {
  subscription?.unsubscribe()
  await rm(folder, { recursive: true })
})

function record<T>(source: Observable<T>): (count: number) => Promise<T[]> {
  const seen = new ReplaySubject<T>()
  subscription = source.subscribe(seen)
  return (count) => firstValueFrom(seen.pipe(take(count), toArray()))
}

const textOf = (state: FileState): string => (state.kind === 'missing' ? 'missing' : state.bytes.toString())

test('a file is seen when it appears, is replaced and goes', async () => {
  const path = join(folder, 'Corefile')
  const seen = record(watchFile(path, { settleMs: 5, pollMs: 50 }))
  await seen(1)
  await writeAtomic(path, 'one')
  await seen(2)
  await writeAtomic(path, 'two')
  await seen(3)
  await rm(path)
  expect((await seen(4)).map(textOf)).toEqual(['missing', 'one', 'two', 'missing'])
})

test('the symlink swap of a ConfigMap volume is seen', async () => {
  for (const [name, text] of [
    ['..a', 'one'],
    ['..b', 'two'],
  ] as const) {
    await mkdir(join(folder, name))
    await writeFile(join(folder, name, 'Corefile'), text)
  }
  await symlink('..a', join(folder, '..data'))
  await symlink('..data/Corefile', join(folder, 'Corefile'))
  // The periodic look is too rare to help here: the notice must come from the folder.
  const seen = record(watchFile(join(folder, 'Corefile'), { settleMs: 5, pollMs: 3_600_000 }))
  await seen(1)
  await symlink('..b', join(folder, '..data_tmp'))
  await rename(join(folder, '..data_tmp'), join(folder, '..data'))
  expect((await seen(2)).map(textOf)).toEqual(['one', 'two'])
})

test('a neighbour that is written all the time does not put the look off', async () => {
  const path = join(folder, 'Corefile')
  await writeFile(path, 'one')
  // Written far more often than the look waits; the periodic look is too rare to help.
  const seen = record(watchFile(path, { settleMs: 200, pollMs: 3_600_000 }))
  await seen(1)
  const writer = setInterval(() => void appendFile(join(folder, 'access.log'), 'x'), 10)
  try {
    await writeAtomic(path, 'two')
    expect((await seen(2)).map(textOf)).toEqual(['one', 'two'])
  } finally {
    clearInterval(writer)
  }
})

test('touching a file is no change', async () => {
  const path = join(folder, 'hosts')
  await writeFile(path, 'one')
  const seen = record(watchFile(path, { settleMs: 5, pollMs: 20 }))
  await seen(1)
  await utimes(path, 1, 1)
  await writeAtomic(path, 'two')
  expect((await seen(2)).map(textOf)).toEqual(['one', 'two'])
})

test('a folder is seen whole, with its subfolders, without hidden files', async () => {
  await mkdir(join(folder, 'shop'))
  await writeFile(join(folder, 'a.yaml'), '1')
  await writeFile(join(folder, '.hidden'), 'x')
  await writeFile(join(folder, 'notes.txt'), 'x')
  const match = (name: string): boolean => name.endsWith('.yaml')
  const seen = record(watchDirectory(folder, { settleMs: 5, pollMs: 50, match }))
  await seen(1)
  await writeFile(join(folder, 'shop', 'b.yaml'), '2')
  await seen(2)
  await rm(join(folder, 'a.yaml'))
  const names = (await seen(3)).map((files) => [...files.keys()])
  expect(names).toEqual([['a.yaml'], ['a.yaml', 'shop/b.yaml'], ['shop/b.yaml']])
})
