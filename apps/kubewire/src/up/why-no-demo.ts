// What keeps the real demo from running here, as sentences with the way out.

import { spawnSync } from 'node:child_process'

/** Nothing when everything is there. */
export function whyNoDemo(): string[] {
  if (process.platform !== 'linux') return ['network namespaces need Linux']
  if (process.getuid?.() !== 0) return ['network namespaces and rules need root: sudo npm run demo']
  const missing = [...needed].filter(([program]) => spawnSync(program, ['-V'], { stdio: 'ignore' }).error !== undefined)
  if (missing.length > 0) {
    const packages = [...new Set(missing.map(([, name]) => name))].join(' ')
    const programs = missing.map(([program]) => program).join(', ')
    return [`missing programs: ${programs}; apt-get update && apt-get install -y --no-install-recommends ${packages}`]
  }
  const probe = `kw${process.pid}-probe`
  const made = spawnSync('ip', ['netns', 'add', probe], { encoding: 'utf8' })
  spawnSync('ip', ['netns', 'del', probe])
  return made.status === 0 ? [] : [`network namespaces cannot be made here: ${made.stderr.trim()}`]
}

// Program → Debian package.
const needed = new Map([
  ['ip', 'iproute2'],
  ['iptables', 'iptables'],
  ['iptables-restore', 'iptables'],
  ['nginx', 'nginx'],
  ['conntrack', 'conntrack'],
  ['dig', 'bind9-dnsutils'],
  ['curl', 'curl'],
])
