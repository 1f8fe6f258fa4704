// The packed packages in the hands of somebody else: installed from tarballs into a folder of their own, used from an ES
// module, from CommonJS and from TypeScript under both kinds of module resolution; and the command line, installed by npm.
// Skips itself with the reason when the registry of the third-party dependencies does not answer.

import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { packPackages, pnpmCommand } from '../../tools/pack-packages.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const root = dirname(dirname(here))
const dir = mkdtempSync(join(tmpdir(), 'kwtest-consumer-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

interface Ran {
  readonly status: number | null
  readonly text: string
}

function run(program: string, args: readonly string[], cwd = dir): Ran {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8', timeout: 120_000 })
  return { status, text: `${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}` }
}

/** `@kubewire/kube-model` → the path of its tarball. */
function tarballs(): Readonly<Record<string, string>> {
  const build = run(
    join(root, 'node_modules/.bin/tsc'),
    [
      '-b',
      'packages/daemon-kit',
      'packages/dns-core',
      'packages/iptables-gen',
      'packages/nginx-gen',
      'packages/mini-apiserver',
    ],
    root,
  )
  if (build.status !== 0) throw new Error(build.text)
  return Object.fromEntries(
    packPackages(join(dir, 'tarballs')).map((path) => [
      basename(path)
        .replace(/-\d+\.\d+\.\d+\.tgz$/, '')
        .replace(/^kubewire-/, '@kubewire/'),
      path,
    ]),
  )
}

/** Installs; what npm's registry had to say when it cannot. */
function installConsumer(files: Readonly<Record<string, string>>): string | undefined {
  cpSync(join(here, 'consumer'), dir, { recursive: true })
  const libraries = Object.entries(files).filter(([name]) => name.startsWith('@') && !name.endsWith('-ts'))
  const own = Object.fromEntries(libraries.map(([name, path]) => [name, `file:${path}`]))
  const manifest = {
    name: 'consumer',
    private: true,
    type: 'module',
    dependencies: own,
    // Inside the tarballs stand versions that no registry has yet.
    pnpm: { overrides: own },
  }
  writeFileSync(join(dir, 'package.json'), JSON.stringify(manifest))
  const { program, args } = pnpmCommand(['install', '--prefer-offline', '--ignore-scripts', '--ignore-workspace'])
  const { status, text } = run(program, args)
  if (status === 0) return undefined
  if (/ENOTFOUND|ECONNREFUSED|ETIMEDOUT|ERR_PNPM_(?:META_)?FETCH_FAIL|EAI_AGAIN|ERR_SOCKET/.test(text)) return text
  throw new Error(text)
}

const files = tarballs()
const unreachable = installConsumer(files)
if (unreachable !== undefined)
  console.log(`consumer: skipped, the registry does not answer:\n${unreachable.slice(-500)}`)

describe.skipIf(unreachable !== undefined)('the installed packages', () => {
  it('run in an ES module', () => {
    expect(run(process.execPath, ['esm.mjs'])).toMatchObject({
      status: 0,
      text: expect.stringMatching(/^NOERROR true true$/m),
    })
  })

  it('run in CommonJS, by require of ES modules', () => {
    expect(run(process.execPath, ['common.cjs'])).toMatchObject({
      status: 0,
      text: expect.stringMatching(/^true true$/m),
    })
  })

  it.each([
    ['node16', { module: 'node16', moduleResolution: 'node16' }],
    ['bundler', { module: 'esnext', moduleResolution: 'bundler' }],
  ])('type-check under moduleResolution %s, declarations included', (name, resolution) => {
    const compilerOptions = {
      ...resolution,
      target: 'es2023',
      lib: ['es2023'],
      strict: true,
      noEmit: true,
      skipLibCheck: false,
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
    }
    writeFileSync(join(dir, `tsconfig.${name}.json`), JSON.stringify({ compilerOptions, files: ['use.ts'] }))
    expect(run(join(root, 'node_modules/.bin/tsc'), ['-p', `tsconfig.${name}.json`])).toEqual({ status: 0, text: '' })
  })
})

describe('the executables, installed from their tarballs by npm', () => {
  const place = join(dir, 'newcomer')
  mkdirSync(place)
  writeFileSync(join(place, 'package.json'), '{"private":true}')

  it('brings nothing else along and runs', () => {
    const words = ['install', '--offline', '--no-audit', '--no-fund', files['kubewire'] ?? '']
    expect(run('npm', words, place)).toMatchObject({ status: 0, text: expect.stringMatching(/added 1 package/) })
    expect(run('npx', ['kubewire', '--version'], place)).toMatchObject({ status: 0 })
    const explained = run(
      'npx',
      ['kubewire', 'dns', 'explain', 'tea.shop.svc.cluster.local', '-f', join(root, 'examples/shop')],
      place,
    )
    expect(explained).toMatchObject({
      status: 0,
      text: expect.stringMatching(/NOERROR, tea\.shop\.svc\.cluster\.local\. \d+ IN A 10\.96\.10\.1/),
    })
  })

  // Optional parts are native and come from a registry; without them everything runs.
  it.each([
    ['@kubewire/coredns-ts', '-version', /^CoreDNS-/m],
    ['@kubewire/kube-proxy-ts', '--version', /^Kubernetes v/m],
    ['@kubewire/ingress-ts', '--version', /ingress/i],
  ])('%s is one package, too', (name, flag, words) => {
    const install = ['install', '--offline', '--no-audit', '--no-fund', '--omit=optional', files[name] ?? '']
    expect(run('npm', install, place)).toMatchObject({ status: 0, text: expect.stringMatching(/added 1 package/) })
    expect(run('npx', [name.slice('@kubewire/'.length), flag], place)).toMatchObject({
      status: 0,
      text: expect.stringMatching(words),
    })
  })

  it('is small, with the daemons that it brings', () => {
    expect(readFileSync(files['kubewire'] ?? '').length).toBeLessThan(8_000_000)
  })
})
