// `npm run demo`: from a fresh clone to a running demo cluster with one command. Sets the machine up, bundles, then
// hands over to `kubewire up`; words after `--` go there: `npm run demo -- --once`, `npm run demo -- -f my-manifests`.
// Plain Node without dependencies.

import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { quietEnv, root, setUp } from './set-up.mjs'

process.exitCode = await main(process.argv.slice(2))

async function main(words) {
  const say = (line) => console.error(line)
  const { ok } = setUp(say)
  if (!ok) {
    say('the dependencies could not be installed')
    return 1
  }
  say('bundling')
  const bundle = spawnSync(process.execPath, [join(root, 'tools/bundle.mjs')], {
    cwd: root,
    env: quietEnv,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (bundle.status !== 0) return 1
  const given = words.some((word) => word === '-f' || word.startsWith('--filename'))
  return runUp([...words, ...(given ? [] : ['-f', join(root, 'examples/shop')])])
}

/** Ctrl-C reaches the child too, which cleans up; this process only waits for it. */
function runUp(words) {
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {})
  const main = join(root, 'apps/kubewire/dist/main.js')
  const child = spawn(process.execPath, [main, 'up', ...words], { stdio: 'inherit' })
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  return new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(error.message)
      resolve(1)
    })
    child.once('exit', (code) => resolve(code ?? 1))
  })
}
