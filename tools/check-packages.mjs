// Holds the packed tarballs to what their users meet: publint on all of them, and on the libraries attw, which resolves
// every entry as TypeScript would. `node tools/check-packages.mjs`; needs the builds.

import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { packPackages } from './pack-packages.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const attw = join(root, 'tools/node_modules/.bin/attw')

const tarballs = packPackages(join(root, 'node_modules/.cache/tarballs'))
const faults = (await Promise.all([...tarballs.map(lintTarball), resolveEntries([...tarballs])])).flat()
for (const fault of faults) console.log(fault)
console.log(`${tarballs.length} tarballs, ${faults.length} faults`)
process.exitCode = faults.length > 0 ? 1 : 0

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

/** Two at a time: each loads a compiler. The command line has no entries. */
async function resolveEntries(paths) {
  const queue = paths.filter((path) => !/^kubewire-\d/.test(basename(path)))
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
