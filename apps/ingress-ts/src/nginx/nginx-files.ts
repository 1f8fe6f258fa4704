// Files of the run directory: made at start, written beside and renamed, old content-addressed ones removed.
//
//   nginx.conf  nginx.pid  metrics.sock   lua-HASH → the Lua files beside our bundle (link-lua.ts)
//   control/ (0700: nobody else may reach the control socket)   files/ (password files, CAs)   temp/ (bodies)

import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { writeAtomic } from '@kubewire/daemon-kit'
import { StartError } from '../start-checks.ts'
import { closedFolder } from './closed-folder.ts'
import { userIds } from './user-ids.ts'

/** A file with content-addressed name. */
export interface NamedFile {
  readonly name: string
  /** May still be in the making; waited for where the file is missing. */
  readonly content: string | Promise<string>
  readonly isSecret: boolean
  /** How `content` is written down; text unless given. */
  readonly encoding?: 'base64'
}

/** The run directory. */
export interface NginxFiles {
  readonly runDir: string
  readonly configFile: string
  /** The candidate that is tested before it becomes `configFile`. */
  readonly candidateFile: string
  readonly controlSocket: string
  readonly metricsSocket: string
  readonly filesDir: string
  readonly pidFile: string
  /** The folder above that keeps the workers out, if one does: nothing in `files/` and `temp/` works then, nor metrics. */
  readonly closedFolder: string | undefined
  /** Writes the files that are missing; names are hashes of contents, so what is there is right. */
  writeFiles(files: readonly NamedFile[]): Promise<void>
  /** Removes files no configuration names any more. */
  removeFilesExcept(names: ReadonlySet<string>): void
  writeCandidate(text: string): Promise<void>
  writeConfig(text: string): Promise<void>
  /** Removes what a dead nginx leaves behind and a new one cannot bind. */
  removeSockets(): void
}

/**
 * Makes the run directory. Sockets left by a dead process are removed, or nginx could not bind them.
 *
 * @param workerUser - as root: the user of nginx's workers, who reads `files/` and writes `temp/`
 */
export async function createNginxFiles(runDir: string, workerUser: string): Promise<NginxFiles> {
  const worker = process.getuid?.() === 0 ? await userIds(workerUser) : undefined
  const folder = (name: string, mode: number, owner?: { readonly uid: number; readonly gid: number }): string => {
    const path = join(runDir, name)
    mkdirSync(path, { recursive: true, mode })
    chmodSync(path, mode)
    if (owner !== undefined) chownSync(path, owner.uid, owner.gid)
    return path
  }
  makeRunDirectory(runDir)
  // Workers pass through it to `files/`, `temp/` and the metrics socket. A Pod's volume belongs to somebody else and is open.
  if (statSync(runDir).uid === process.geteuid?.()) chmodSync(runDir, 0o755)
  const control = folder('control', 0o700)
  const filesDir = folder('files', 0o750, worker && { uid: 0, gid: worker.gid })
  const temp = folder('temp', 0o700, worker)
  for (const kind of ['client', 'proxy', 'fastcgi', 'uwsgi', 'scgi']) mkdirSync(join(temp, kind), { recursive: true })
  folder('logs', 0o755)
  const controlSocket = join(control, 'control.sock')
  const metricsSocket = join(runDir, 'metrics.sock')
  rmSync(metricsSocket, { force: true })
  const configFile = join(runDir, 'nginx.conf')
  const candidateFile = join(runDir, 'nginx.conf.candidate')
  return {
    runDir,
    configFile,
    candidateFile,
    controlSocket,
    metricsSocket,
    filesDir,
    pidFile: join(runDir, 'nginx.pid'),
    closedFolder: worker && closedFolder(resolve(runDir), worker, statSync),
    writeFiles: async (files) => {
      for (const { name, content, isSecret, encoding = 'utf8' } of files) {
        const path = join(filesDir, name)
        if (existsSync(path)) continue
        await writeAtomic(path, Buffer.from(await content, encoding), { mode: isSecret ? 0o640 : 0o644 })
        if (worker !== undefined) chownSync(path, 0, worker.gid)
      }
    },
    removeFilesExcept: (names) => {
      for (const name of readdirSync(filesDir)) if (!names.has(name)) rmSync(join(filesDir, name), { force: true })
    },
    writeCandidate: async (text) => writeFileSync(candidateFile, text, { mode: 0o600 }),
    writeConfig: (text) => writeAtomic(configFile, text, { mode: 0o600 }),
    removeSockets: () => {
      for (const name of readdirSync(control)) rmSync(join(control, name), { force: true })
    },
  }
}

/** Throws StartError where it cannot be made or written: a user other than root needs a folder of his own. */
function makeRunDirectory(runDir: string): void {
  try {
    mkdirSync(runDir, { recursive: true, mode: 0o755 })
    accessSync(runDir, constants.W_OK | constants.X_OK)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? error
    throw new StartError(`the run directory ${runDir} cannot be used (${code}); --run-directory names another one`)
  }
}
