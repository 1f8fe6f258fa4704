// The images of `deploy/*/Dockerfile` without a container engine, so that their content can be tested anywhere:
//   node tools/image.mjs build NAME DIR            the root file system of the last stage, by debootstrap and chroot
//   node tools/image.mjs run DIR [--user U] [--env K=V]… [-- ARG…]  the entry point in it: read-only root, /tmp and /run fresh
// Needs root. The base image's Debian comes from this machine's own apt sources, its Node is the one that runs this.

import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { writeImageFiles } from './image-files.mjs'
import { parseDockerfile } from './parse-dockerfile.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
/** Where the image's facts that are no files (user, entry point …) are noted, beside the root file system. */
const factsOf = (dir) => `${resolve(dir)}.json`

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [command, name = '', ...rest] = process.argv.slice(2)
  if (command === 'build') await buildImage(name, rest[0] ?? '')
  else if (command === 'run') process.exitCode = runImage(name, rest)
  else throw new Error('usage: image.mjs build NAME DIR | image.mjs run DIR [--user U] [--env K=V]… [-- ARG…]')
}

/** Makes the root file system of a daemon's image. */
export async function buildImage(name, dir) {
  const rootfs = resolve(dir)
  const { release, steps, facts } = parseDockerfile(readFileSync(join(root, 'deploy', name, 'Dockerfile'), 'utf8'))
  const files = mkdtempSync(join(tmpdir(), 'image-'))
  try {
    await writeImageFiles(name, files)
    bootstrap(release, rootfs)
    for (const step of steps) {
      if (step.kind === 'run') inside(rootfs, step.command)
      else copyInto(step.from === 'build' ? files : join(root, step.source), rootfs, step.target)
    }
    writeFileSync(factsOf(rootfs), JSON.stringify(facts, undefined, 2))
  } finally {
    rmSync(files, { recursive: true })
  }
}

/** Debian's minimal system and Node, as the base image has them. */
function bootstrap(release, rootfs) {
  mkdirSync(rootfs, { recursive: true })
  must('debootstrap', ['--variant=minbase', '--include=ca-certificates', release, rootfs, aptMirror()])
  for (const part of ['sources.list.d', 'apt.conf.d'])
    cpSync(join('/etc/apt', part), join(rootfs, 'etc/apt', part), { recursive: true })
  rmSync(join(rootfs, 'etc/apt/sources.list'), { force: true })
  copyFileSync('/etc/resolv.conf', join(rootfs, 'etc/resolv.conf'))
  copyFileSync(process.execPath, join(rootfs, 'usr/local/bin/node'))
}

/** The first address of this machine's apt sources, in either format. */
function aptMirror() {
  const list = readdirSync('/etc/apt/sources.list.d').map((file) => join('/etc/apt/sources.list.d', file))
  for (const file of ['/etc/apt/sources.list', ...list]) {
    const found = /^(?:URIs:|deb(?: \[[^\]]*\])?) +(\S+)/m.exec(readIfThere(file))
    if (found?.[1] !== undefined) return found[1]
  }
  throw new Error('this machine has no apt sources')
}

function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** A RUN step, with the kernel's file systems that package scripts expect. */
function inside(rootfs, command) {
  const script = `mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && exec chroot "$1" /bin/sh -ec "$2"`
  must('unshare', ['--mount', '--pid', '--fork', '/bin/sh', '-ec', script, 'sh', rootfs, command])
}

function copyInto(source, rootfs, target) {
  const to = join(rootfs, target)
  mkdirSync(dirname(to), { recursive: true })
  cpSync(source, to, { recursive: true, verbatimSymlinks: true })
  if (target.endsWith('/')) chmodSync(to, 0o755)
}

function must(program, args) {
  const run = spawnSync(program, args, { stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8', maxBuffer: 1e8 })
  if (run.status === 0) return
  throw new Error(`${program} ${args.join(' ').slice(0, 200)}: ${run.error?.message ?? run.stdout.slice(-2000)}`)
}

/**
 * The command line that runs an image's entry point as its user, with a read-only root.
 *
 * @returns {{ program: string, args: string[] }}
 */
export function imageCommand(dir, { user, args, environment: given = {} }) {
  const facts = JSON.parse(readFileSync(factsOf(dir), 'utf8'))
  const words = [...facts.entrypoint, ...(args.length > 0 ? args : facts.cmd)]
  const environment = Object.entries({ ...facts.environment, ...given }).map(([key, value]) => `${key}=${value}`)
  const script = [
    'root="$1"; user="$2"; shift 2',
    'mount --bind "$root" "$root"',
    'mount -o remount,bind,ro "$root"',
    'mount --rbind /sys "$root/sys"',
    'mount --rbind /dev "$root/dev"',
    'mount -t tmpfs tmpfs "$root/tmp"',
    'mount -t tmpfs tmpfs "$root/run"',
    'for dir in ingress-ts; do mkdir -m 1777 "$root/run/$dir"; done',
    // The entry point is process 1 of a namespace inside the one that ends with us: a change of user forgets --kill-child.
    'exec unshare --pid --fork --mount-proc="$root/proc" chroot --userspec="$user" "$root" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"',
  ].join('\n')
  const inner = ['sh', resolve(dir), user ?? facts.user, ...environment, ...words]
  return {
    program: 'unshare',
    args: ['--mount', '--pid', '--fork', '--kill-child', '/bin/sh', '-ec', script, ...inner],
  }
}

function runImage(dir, rest) {
  const userAt = rest.indexOf('--user')
  const argsAt = rest.indexOf('--')
  const options = argsAt < 0 ? rest : rest.slice(0, argsAt)
  const pairs = options.filter((_, at) => options[at - 1] === '--env').map((pair) => pair.split(/=(.*)/s))
  const { program, args } = imageCommand(dir, {
    user: userAt < 0 ? undefined : rest[userAt + 1],
    args: argsAt < 0 ? [] : rest.slice(argsAt + 1),
    environment: Object.fromEntries(pairs),
  })
  return spawnSync(program, args, { stdio: 'inherit' }).status ?? 1
}
