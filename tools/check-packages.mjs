// Holds the packed tarballs to what their users meet: publint on all of them, and on the libraries attw, which resolves
// every entry as TypeScript would. `node tools/check-packages.mjs`; needs the builds.

import { execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { packPackages } from './pack-packages.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const attw = join(root, 'tools/node_modules/.bin/attw')
const executables = /^kubewire-(?:\d|(?:coredns|kube-proxy|ingress)-ts-)/

const tarballs = packPackages(join(root, 'node_modules/.cache/tarballs'))
const faults = (
  await Promise.all([...tarballs.map(lintTarball), resolveEntries([...tarballs]), tarballs.flatMap(contentFaults)])
).flat()
for (const fault of faults) console.log(fault)
console.log(`${tarballs.length} tarballs, ${faults.length} faults`)
process.exitCode = faults.length > 0 ? 1 : 0

/** README, LICENSE and what runs are inside; tests, build caches and somebody's own files are not. */
function contentFaults(path) {
  const files = execFileSync('tar', ['-tzf', path], { encoding: 'utf8' }).split('\n').filter(Boolean)
  const wanted = [
    'README.md',
    'LICENSE',
    'package.json',
    ...(executables.test(basename(path)) ? ['dist/third-party.txt'] : []),
  ]
  const missing = wanted.filter((file) => !files.includes(`package/${file}`)).map((file) => `${file} is missing`)
  const known = /^package\/(?:(?:dist|src|daemons)\/|(?:README|CHANGELOG)\.md$|LICENSE$|package\.json$)/
  const unwanted = files.filter((file) => !known.test(file) || /\.test(-d)?\.ts$|\.tsbuildinfo$/.test(file))
  return [...missing, ...unwanted.map((file) => `${file} should not be there`)].map(
    (text) => `${basename(path)}: ${text}`,
  )
}

async function lintTarball(path) {
  const bytes = readFileSync(path)
  const tarball = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
  const { messages, pkg } = await publint({ pack: { tarball } })
  return (
    messages
      .map((message) => formatMessage(message, pkg) ?? message.code)
      // Scripts of the page are for browsers, which do not ask whether they are modules.
      .filter((text) => !text.includes('/dist/ui/'))
      .map((text) => `${basename(path)}: ${text}`)
  )
}

/** Two at a time: each loads a compiler. Executables have no entries. */
async function resolveEntries(paths) {
  const queue = paths.filter((path) => !executables.test(basename(path)))
  const found = []
  const work = async () => {
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
      const { status, output } = await run(attw, [path, '--profile', 'esm-only', '--no-emoji', '--no-color'])
      if (status !== 0) found.push(`${basename(path)}:\n${output}`)
    }
  }
  await Promise.all([work(), work()])
  return found
}

function run(program, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    child.once('error', reject)
    child.once('close', (status) => resolve({ status, output }))
  })
}
