// The Debian packages that the demo and the tests need: what is missing, and how it gets installed.
// Plain Node without dependencies: this runs before anything is installed. `node tools/system-packages.mjs` installs
// what is missing as root, and otherwise prints the command; `--check` only looks.

import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

/** Debian 12 package → what needs it. */
export const systemPackages = new Map([
  ['nginx', 'ingress-ts runs it'],
  ['libnginx-mod-http-ndk', 'the Lua module needs it'],
  ['libnginx-mod-http-lua', 'endpoints, certificates and routes change without a reload'],
  ['libnginx-mod-stream', 'TCP and UDP services'],
  ['libnginx-mod-http-headers-more-filter', 'custom and cleared headers'],
  ['lua-resty-core', 'the Lua module needs it'],
  ['lua-resty-lrucache', 'lua-resty-core needs it'],
  ['lua-cjson', 'our Lua code reads JSON'],
  ['iptables', 'kube-proxy-ts writes rules with it'],
  ['nftables', 'tests look at what the kernel holds'],
  ['conntrack', 'kube-proxy-ts removes stale UDP flows with it'],
  ['nfacct', 'kube-proxy-ts counts dropped packets by name with it; rules do without where it is missing'],
  ['iproute2', 'network namespaces'],
  ['procps', 'sysctl settings in namespaces'],
  ['kmod', 'loads kernel modules where that is allowed'],
  ['bind9-dnsutils', 'dig, in the tour of the demo'],
  ['curl', 'the tour of the demo'],
  ['openssl', 'certificates in tests'],
])

/** The packages that are not installed, or undefined where this is no Debian system. */
export function missingPackages() {
  const names = [...systemPackages.keys()]
  const query = spawnSync('dpkg-query', ['-W', '-f=${Package} ${db:Status-Status}\n', ...names], { encoding: 'utf8' })
  if (query.error !== undefined) return undefined
  const installed = new Set(query.stdout.split('\n').filter((line) => line.endsWith(' installed')))
  return names.filter((name) => !installed.has(`${name} installed`))
}

/** The command that installs packages, as a person would type it. */
export function installCommand(names) {
  return `apt-get update && apt-get install -y --no-install-recommends ${names.join(' ')}`
}

/**
 * Installs what is missing if that is possible here, and says what it does.
 *
 * @param {(line: string) => void} say
 * @returns {readonly string[]} what is still missing afterwards; unknown counts as nothing missing
 */
export function installMissingPackages(say) {
  const missing = missingPackages()
  if (missing === undefined) {
    say(`this is no Debian system; what is needed from the distribution: ${[...systemPackages.keys()].join(' ')}`)
    return []
  }
  if (missing.length === 0) return []
  const list = missing.map((name) => `  ${name}: ${systemPackages.get(name)}`).join('\n')
  if (process.getuid?.() !== 0) {
    say(`missing Debian packages:\n${list}\nto install them:\n  sudo sh -c '${installCommand(missing)}'`)
    return missing
  }
  say(`installing missing Debian packages:\n${list}`)
  withoutServiceStart(say, () => {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const stdio = ['ignore', 'inherit', 'inherit']
    spawnSync('apt-get', ['update', '-q'], { env, stdio })
    spawnSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...missing], { env, stdio })
  })
  const left = missingPackages() ?? []
  if (left.length > 0) say(`not installed: ${left.join(' ')}; the command was\n  ${installCommand(missing)}`)
  return left
}

/** Debian would start its nginx service on port 80 of this machine; nothing here wants that. */
function withoutServiceStart(say, install) {
  const policy = '/usr/sbin/policy-rc.d'
  if (existsSync(policy)) return install()
  say(`(${policy} keeps Debian from starting services meanwhile)`)
  writeFileSync(policy, '#!/bin/sh\nexit 101\n')
  chmodSync(policy, 0o755)
  try {
    install()
  } finally {
    rmSync(policy, { force: true })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const isCheck = process.argv.includes('--check')
  const left = isCheck ? (missingPackages() ?? []) : installMissingPackages(console.log)
  if (isCheck && left.length > 0) console.log(`missing: ${left.join(' ')}\n  ${installCommand(left)}`)
  process.exitCode = left.length > 0 ? 1 : 0
}
