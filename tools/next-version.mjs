// The next version, from the notes in `.changeset`: package.json files and change logs by changesets, then the places that
// name the version for those who run it: programs, charts, and the image tags that pages show. `pnpm next-version`.

import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const daemons = ['coredns-ts', 'kube-proxy-ts', 'ingress-ts']

/** Files that name the version and are no package.json. */
export const versionedFiles = [
  ...['kubewire', 'coredns-ts', 'ingress-ts'].map((name) => `apps/${name}/src/version.ts`),
  ...daemons.flatMap((name) =>
    ['chart/Chart.yaml', 'README.md', 'kustomization.yaml'].map((file) => `deploy/${name}/${file}`),
  ),
]

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const before = currentVersion()
  execFileSync(join(root, 'node_modules/.bin/changeset'), ['version'], { cwd: root, stdio: 'inherit' })
  const after = currentVersion()
  for (const path of versionedFiles) {
    const text = readFileSync(join(root, path), 'utf8')
    writeFileSync(
      join(root, path),
      text.replaceAll(versionIn(before), (found) => spelledAs(found, after)),
    )
  }
}

function currentVersion() {
  return JSON.parse(readFileSync(join(root, 'apps/kubewire/package.json'), 'utf8')).version
}

/** `0.1.0`, and `0.1` where images are tagged so. */
function versionIn(version) {
  const [major, minor, patch] = version.split('.')
  return new RegExp(`(?<![\\d.])${major}\\.${minor}(?:\\.${patch})?(?![\\d.])`, 'g')
}

function spelledAs(found, version) {
  return version.split('.').slice(0, found.split('.').length).join('.')
}
