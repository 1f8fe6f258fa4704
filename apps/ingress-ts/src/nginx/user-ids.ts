// Numbers of a user: from the password file, where a start has them without another process, else from `id`, which asks
// every name service. Source: passwd(5).

import { readFileSync } from 'node:fs'
import { runCommand } from '@kubewire/daemon-kit'

/** User and its primary group. */
export interface UserIds {
  readonly uid: number
  readonly gid: number
}

/** The numbers of a user; `undefined` where nobody knows the name. */
export async function userIds(user: string): Promise<UserIds | undefined> {
  return parsePasswd(readPasswd(), user) ?? (await askId(user))
}

/** The numbers of a user as a password file says them. */
export function parsePasswd(text: string, user: string): UserIds | undefined {
  for (const line of text.split('\n')) {
    const [name, , uid = '', gid = ''] = line.split(':')
    if (name === user && /^\d+$/.test(uid) && /^\d+$/.test(gid)) return { uid: Number(uid), gid: Number(gid) }
  }
  return undefined
}

async function askId(user: string): Promise<UserIds | undefined> {
  const { exitCode, stdout } = await runCommand('id', [user])
  const [, uid, gid] = /^uid=(\d+)\S* gid=(\d+)/.exec(stdout) ?? []
  return exitCode !== 0 || uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) }
}

function readPasswd(): string {
  try {
    return readFileSync('/etc/passwd', 'utf8')
  } catch {
    return '' // `id` knows
  }
}
