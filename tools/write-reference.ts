// Writes what is generated from code: `docs/errors.md`, `docs/reference/*.md`, the import table of `docs/ARCHITECTURE.md`,
// the dashboards in `deploy/`. With `--check` it only compares, and exits 1 when a file is stale.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { printDashboard } from './dashboards/dashboard.ts'
import { dnsDashboard } from './dashboards/dns.ts'
import { ingressDashboard } from './dashboards/ingress.ts'
import { proxyDashboard } from './dashboards/proxy.ts'
import { printErrorsPage } from './reference/errors-page.ts'
import { printArchitecture } from './reference/import-page.ts'
import { printAnnotationsPage, printLintPage, printPluginsPage, printSettingsPage } from './reference/registry-pages.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Path of a page below the repository → its text. */
const pages: ReadonlyMap<string, string | undefined> = new Map([
  ['docs/ARCHITECTURE.md', printArchitecture(readText('docs/ARCHITECTURE.md'))],
  ['docs/errors.md', await printErrorsPage(root)],
  ['docs/reference/dns-plugins.md', await printPluginsPage(root)],
  ['docs/reference/ingress-annotations.md', await printAnnotationsPage(root)],
  ['docs/reference/ingress-settings.md', await printSettingsPage(root)],
  ['docs/reference/lint-rules.md', await printLintPage(root)],
  ['deploy/coredns-ts/chart/files/dashboard.json', printDashboard(dnsDashboard)],
  ['deploy/kube-proxy-ts/chart/files/dashboard.json', printDashboard(proxyDashboard)],
  ['deploy/ingress-ts/chart/files/dashboard.json', printDashboard(ingressDashboard)],
])

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const isCheck = process.argv.includes('--check')
  const stale = [...pages].filter(([path, text]) => text !== undefined && readText(path) !== text)
  for (const [path, text = ''] of isCheck ? [] : stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  for (const [path] of stale)
    console.log(isCheck ? `${path} is not what the code says: run pnpm docs` : `wrote ${path}`)
  process.exitCode = isCheck && stale.length > 0 ? 1 : 0
}

function readText(path: string): string {
  return existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : ''
}
