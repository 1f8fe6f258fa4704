import { describe, expect, it } from 'vitest'
import { parsePasswd } from './user-ids.ts'

const passwd = `root:x:0:0:root:/root:/bin/bash
# nobody:x:1:1::/:
www-data:x:33:34:www-data:/var/www:/usr/sbin/nologin
+broken
half:x::
`

describe('the numbers of a user in a password file', () => {
  it.each<[string, { uid: number; gid: number } | undefined, string]>([
    ['root', { uid: 0, gid: 0 }, 'zero is a number, too'],
    ['www-data', { uid: 33, gid: 34 }, 'user and group may differ'],
    ['www', undefined, 'a name is a whole name'],
    ['half', undefined, 'a line without numbers says nothing'],
    ['', undefined, 'nobody has no name'],
  ])('%s: %o, %s', (user, ids) => {
    expect(parsePasswd(passwd, user)).toEqual(ids)
  })
})
