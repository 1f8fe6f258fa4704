// Bundles one executable from source with esbuild.
// It becomes `main.js` (ESM for Node 20, with a shebang) plus chunks for what it loads lazily, plus the Lua files
// that nginx runs, plus `packages.json` and `third-party.txt`: what of others is in it, and their notices. Used by `bundle.mjs`
// and by the test harness.

import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { bundledNotices, bundledPackages } from './bundled-packages.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Every executable: its entry file and the folder its bundle belongs in. */
export const executables = {
  'coredns-ts': { entry: 'apps/coredns-ts/src/main.ts', out: 'apps/coredns-ts/dist' },
  'kube-proxy-ts': { entry: 'apps/kube-proxy-ts/src/main.ts', out: 'apps/kube-proxy-ts/dist' },
  'ingress-ts': {
    entry: 'apps/ingress-ts/src/main.ts',
    out: 'apps/ingress-ts/dist',
    lua: 'packages/nginx-gen/src/lua',
  },
  kubewire: { entry: 'apps/kubewire/src/main.ts', out: 'apps/kubewire/dist', page: 'apps/kubewire/src/ui/page' },
  'mini-apiserver': { entry: 'packages/mini-apiserver/src/cli.ts', out: 'packages/mini-apiserver/bundle' },
}

/**
 * Bundles one entry file into `outDir/main.js`.
 *
 * @param {string} entry - path of the TypeScript entry, absolute or from the repository's root
 * @param {string} outDir - emptied first
 * @param {string} [luaDir] - folder whose `*.lua` files are copied to `outDir/lua`
 * @returns {Promise<string>} absolute path of `main.js`
 */
export async function bundleEntry(entry, outDir, luaDir) {
  const out = join(root, relative(root, join(outDir.startsWith('/') ? '' : root, outDir)))
  const from = relative(root, join(entry.startsWith('/') ? '' : root, entry))
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  const { metafile } = await build({
    stdin: {
      contents: `#!/usr/bin/env node\nimport './${from}'\n`,
      resolveDir: root,
      sourcefile: 'start.ts',
      loader: 'ts',
    },
    absWorkingDir: root,
    outdir: out,
    entryNames: 'main',
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    conditions: ['@kubewire/source'],
    sourcemap: true,
    sourcesContent: false,
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'linked',
    logLevel: 'warning',
    metafile: true,
    // Native and optional: found in node_modules where it is installed, absent elsewhere.
    external: ['koffi'],
    plugins: [rxjsModules],
    // CommonJS dependencies call `require`, which ESM does not have.
    banner: {
      js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
    },
  })
  const inputs = Object.keys(metafile.inputs)
  writeFileSync(join(out, 'packages.json'), `${JSON.stringify(bundledPackages(root, inputs), undefined, 1)}\n`)
  writeFileSync(join(out, 'third-party.txt'), bundledNotices(root, inputs))
  const main = join(out, 'main.js')
  chmodSync(main, 0o755)
  if (luaDir !== undefined) copyLua(join(root, luaDir), join(out, 'lua'))
  return main
}

// For Node, RxJS offers CommonJS alone, of which a bundle holds all; of its modules only what is used, a fifth.
// A daemon starts 10 ms earlier.
const rxjsModules = {
  name: 'rxjs-modules',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^rxjs$/ }, async ({ path, pluginData, importer, kind, resolveDir }) => {
      if (pluginData === rxjsModules) return undefined
      const found = await resolve(path, { importer, kind, resolveDir, pluginData: rxjsModules })
      return { ...found, path: found.path.replace('/dist/cjs/', '/dist/esm/'), sideEffects: false }
    })
  },
}

/**
 * Bundles a page for browsers: `page.ts` and `worker.ts` as modules, what else a page is made of as it is. It resolves no
 * `node:` module, so a library that needs one fails the build.
 *
 * @param {string} pageDir - folder with `page.ts`, `worker.ts` and the files to copy, from the repository's root
 * @param {string} outDir - gets them
 * @returns {Promise<void>}
 */
export async function bundlePage(pageDir, outDir) {
  const from = join(root, pageDir)
  const out = outDir.startsWith('/') ? outDir : join(root, outDir)
  mkdirSync(out, { recursive: true })
  const options = {
    absWorkingDir: root,
    outdir: out,
    bundle: true,
    minify: true,
    platform: 'browser',
    target: 'es2022',
    format: 'esm',
    conditions: ['@kubewire/source'],
    legalComments: 'linked',
    logLevel: 'warning',
  }
  await build({ ...options, entryPoints: [join(from, 'page.ts')] })
  await build({
    ...options,
    entryPoints: [join(from, 'worker.ts')],
    // dns-packet and the codecs of rare records work on Node's Buffer.
    alias: { buffer: fileURLToPath(import.meta.resolve('buffer/')) },
    inject: [join(root, 'tools/browser-buffer.mjs')],
  })
  for (const name of readdirSync(from)) {
    if (/\.(?:html|css|svg)$/.test(name)) cpSync(join(from, name), join(out, name))
  }
}

/** Copies the `*.lua` files of a folder, if there are any. */
function copyLua(from, to) {
  if (!existsSync(from)) return
  for (const name of readdirSync(from, { recursive: true })) {
    if (String(name).endsWith('.lua')) cpSync(join(from, String(name)), join(to, String(name)))
  }
}
