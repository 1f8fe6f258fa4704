// `npm run demo`: from a fresh clone to a running demo cluster with one command. Sets the machine up, bundles, then
// hands over to `kubewire up`; words after `--` go there: `npm run demo -- --once`, `npm run demo -- -f my-manifests`.
// Plain Node without dependencies.

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { handOver } from './hand-over.mjs'
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
  const given = words.some((word) => /^(?:-f|--filename)/.test(word))
  const shop = given ? [] : ['-f', join(root, 'examples/shop')]
  return handOver([join(root, 'apps/kubewire/dist/main.js'), 'up', ...words, ...shop])
}
