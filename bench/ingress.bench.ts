// What a configuration costs: translation and rendering against `nginx -t`, one change against everything, and, with
// `kernel`, the daemon with its nginx in a namespace of its own (root). `pnpm bench:ingress [kernel [log]] [hosts]`; and, as root,
// hosts as data beside hosts as servers: `pnpm bench:ingress data|static|requests [hosts]`. Read the ratios.

import { measureKernel } from './ingress/kernel.ts'
import { measureLibrary } from './ingress/library.ts'
import { measureForm, measureRequests } from './ingress/routes.ts'

const words = process.argv.slice(2).filter((word) => word !== '--')
const hosts = Number(words.find((word) => /^[0-9]+$/.test(word)) ?? 5000)

if (words.includes('requests')) console.table(await measureRequests(hosts))
else if (words.includes('data')) console.table(await measureForm(hosts, 'data'))
else if (words.includes('static')) console.table(await measureForm(hosts, 'static'))
else if (words.includes('kernel')) console.table(await measureKernel(hosts, words.includes('log')))
else printLibrary()

function printLibrary(): void {
  const costs = measureLibrary(hosts, 3)
  const full = costs.translateMs + costs.renderMs
  console.table({
    hosts,
    'translate, ms': costs.translateMs.toFixed(0),
    'render and print, ms': costs.renderMs.toFixed(0),
    'both, the first time in the process, ms': costs.firstMs.toFixed(0),
    'nginx -t, ms': costs.testMs.toFixed(0),
    'nginx -t of the repeating file, ms': costs.repeatedTestMs.toFixed(0),
    'size, MB': (costs.bytes / 1e6).toFixed(1),
    'size of the repeating file, MB': (costs.repeatedBytes / 1e6).toFixed(1),
    'translate and render / nginx -t': (full / costs.testMs).toFixed(3),
    'nginx -t / of the repeating file': (costs.testMs / costs.repeatedTestMs).toFixed(2),
    'one changed Ingress, ms': costs.changedMs.toFixed(0),
    'its translation / full translation': (costs.changedTranslateMs / costs.translateMs).toFixed(3),
    'all of it / full translation and rendering': (costs.changedMs / full).toFixed(3),
  })
}
