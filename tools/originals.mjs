// `pnpm originals`: builds the referees (CoreDNS, kube-proxy, kube-apiserver, kubectl, etcd, helm) from the versions in
// test/originals/go.mod into the ignored folder test/originals/bin. About ten minutes on two cores the first time.
// Plain Node without dependencies.

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const dir = join(dirname(dirname(fileURLToPath(import.meta.url))), 'test/originals')
/** ingress-nginx refuses an API server that calls itself v0.0.0-master. */
const linkerFlags = '-X k8s.io/component-base/version.gitVersion=v1.37.2'

process.exitCode = main()

function main() {
  const reason = whyNoGo()
  if (reason !== undefined) {
    console.log(`the originals are not built: ${reason}`)
    console.log('nothing but `--target original` and `--api real` of pnpm conformance needs them')
    return 1
  }
  console.log('building the originals into test/originals/bin')
  const build = spawnSync('go', ['build', '-ldflags', linkerFlags, '-o', 'bin/', 'tool'], {
    cwd: dir,
    stdio: 'inherit',
  })
  if (build.status !== 0) return build.status ?? 1
  console.log(readdirSync(join(dir, 'bin')).join(' '))
  return existsSync(join(dir, 'bin/coredns')) ? 0 : 1
}

/** Why the originals cannot be built here, or undefined. */
function whyNoGo() {
  const version = spawnSync('go', ['env', 'GOVERSION'], { encoding: 'utf8' })
  if (version.error !== undefined) return 'Go 1.26 or newer is needed and there is no go'
  const [major = 0, minor = 0] = version.stdout.replace('go', '').split('.').map(Number)
  const isNew = major > 1 || (major === 1 && minor >= 26)
  return isNew ? undefined : `Go 1.26 or newer is needed, this is ${version.stdout.trim()}`
}
