// Whether somebody may pass through the folders above a path. Source: path_resolution(7).

import { dirname } from 'node:path'

/** Owner and mode of a folder, as `stat` tells them. */
export interface FolderMode {
  readonly uid: number
  readonly gid: number
  readonly mode: number
}

/** The first folder from the root to `path` that `user` may not pass; `undefined` when all are open. */
export function closedFolder(
  path: string,
  user: Pick<FolderMode, 'uid' | 'gid'>,
  stat: (path: string) => FolderMode,
): string | undefined {
  const parent = dirname(path)
  const above = parent === path ? undefined : closedFolder(parent, user, stat)
  if (above !== undefined) return above
  const { uid, gid, mode } = stat(path)
  const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
  return (mode & bit) === 0 ? path : undefined
}
