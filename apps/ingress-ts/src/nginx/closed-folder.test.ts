import { describe, expect, it } from 'vitest'
import { closedFolder, type FolderMode } from './closed-folder.ts'

const root = { uid: 0, gid: 0 }
const folders: { readonly [path: string]: FolderMode } = {
  '/': { ...root, mode: 0o755 },
  '/run': { ...root, mode: 0o755 },
  '/run/ours': { uid: 0, gid: 33, mode: 0o750 },
  '/tmp': { ...root, mode: 0o1777 },
  '/tmp/x': { ...root, mode: 0o700 },
  '/tmp/x/run': { ...root, mode: 0o755 },
}

describe('folders on the way', () => {
  it.each([
    ['are open to everybody', '/run', { uid: 33, gid: 33 }, undefined],
    ['are open to the group', '/run/ours', { uid: 33, gid: 33 }, undefined],
    ['are closed to others', '/run/ours', { uid: 34, gid: 34 }, '/run/ours'],
    ['are closed further up', '/tmp/x/run', { uid: 33, gid: 33 }, '/tmp/x'],
  ] as const)('%s', (_, path, user, closed) => {
    expect(closedFolder(path, user, (one) => folders[one] as FolderMode)).toBe(closed)
  })
})
