// Bill of materials of the daemons, in CycloneDX 1.6: what the bundle holds, what stands beside it, which Debian packages
// the image installs. `node tools/sbom.mjs NAME` prints one; `--check` compares the licences of all with those we accept.
// Run after `pnpm bundle`.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { executables } from './bundle-entry.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Licences that go into what is published under Apache-2.0 without a further duty than to name them. */
const accepted = new Set(['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Unlicense', 'MIT-0'])

const [name = ''] = process.argv.slice(2)
if (name === '--check') process.exitCode = checkLicences()
else if (executables[name] === undefined) throw new Error(`usage: sbom.mjs ${Object.keys(executables).join('|')}`)
else console.log(JSON.stringify(billOf(name), undefined, 2))

function bundledIn(one) {
  return JSON.parse(readFileSync(join(root, executables[one].out, 'packages.json'), 'utf8'))
}

function appOf(one) {
  return JSON.parse(readFileSync(join(root, dirname(dirname(executables[one].entry)), 'package.json'), 'utf8'))
}

function billOf(one) {
  const app = appOf(one)
  const packages = bundledIn(one).map(({ name, version, license }) => ({
    type: 'library',
    'bom-ref': purl(name, version),
    name,
    version,
    purl: purl(name, version),
    licenses: [{ license: { id: license } }],
  }))
  const debian = debianPackages(one).map((name) => ({
    type: 'library',
    name,
    purl: `pkg:deb/debian/${name}?distro=bookworm`,
  }))
  const bundle = readFileSync(join(root, executables[one].out, 'main.js'))
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': purl(app.name, app.version),
        name: app.name,
        version: app.version,
        purl: purl(app.name, app.version),
        licenses: [{ license: { id: app.license } }],
        hashes: [{ alg: 'SHA-256', content: createHash('sha256').update(bundle).digest('hex') }],
      },
    },
    components: [...packages, ...debian],
    dependencies: [{ ref: purl(app.name, app.version), dependsOn: packages.map((one) => one['bom-ref']) }],
  }
}

function purl(name, version) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}

/** What the last stage of the daemon's Dockerfile installs. */
function debianPackages(one) {
  let text = ''
  try {
    text = readFileSync(join(root, 'deploy', one, 'Dockerfile'), 'utf8').replaceAll(/\\\n/g, ' ')
  } catch {
    return []
  }
  const words = /--no-install-recommends\s+([^&#\n]*)/.exec(text)?.[1] ?? ''
  return words.split(/\s+/).filter((word) => /^[a-z0-9][a-z0-9+.-]+$/.test(word))
}

function checkLicences() {
  const bad = new Set()
  const names = new Set()
  for (const one of Object.keys(executables)) {
    for (const { name, version, license } of bundledIn(one)) {
      names.add(`${name}@${version}`)
      if (
        !license
          .replaceAll(/[()]/g, '')
          .split(' OR ')
          .some((id) => accepted.has(id))
      )
        bad.add(`${name}@${version}: ${license || 'none'}`)
    }
  }
  for (const line of bad) console.log(`a licence that is not on the list: ${line}`)
  console.log(`${names.size} packages in the bundles, ${bad.size} with another licence`)
  return bad.size > 0 ? 1 : 0
}
