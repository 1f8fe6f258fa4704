// What each package offers, as reports that are reviewed like code: `docs/api/<package>.api.md`, one for each entry, made
// by api-extractor from the declarations in `dist`. `tsx tools/write-api-reports.ts [--check]`.

import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Extractor, ExtractorConfig, type ExtractorLogLevel, type IConfigFile } from '@microsoft/api-extractor'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const reportFolder = join(root, 'docs/api')
const scratch = join(root, 'node_modules/.cache/api-reports')
const isCheck = process.argv.includes('--check')

interface Entry {
  readonly packageDir: string
  /** `dns-core`, `dns-core.testing`. */
  readonly name: string
  /** Path of its declarations. */
  readonly types: string
}

const entries = publicEntries()
rmSync(scratch, { recursive: true, force: true })
mkdirSync(scratch, { recursive: true })
mkdirSync(reportFolder, { recursive: true })
const changed = entries.filter(writeReport).map(({ name }) => name)
const wanted = new Set(entries.map(({ name }) => `${name}.api.md`))
const left = readdirSync(reportFolder).filter((file) => file.endsWith('.api.md') && !wanted.has(file))
if (!isCheck) for (const file of left) rmSync(join(reportFolder, file))
if (isCheck) {
  for (const name of changed) console.log(`docs/api/${name}.api.md is not what the package offers`)
  for (const file of left) console.log(`docs/api/${file} belongs to no entry`)
  if (changed.length + left.length > 0) console.log('pnpm run api writes the reports; review what changes')
  process.exitCode = changed.length + left.length > 0 ? 1 : 0
}
console.log(`${entries.length} entries, ${changed.length} ${isCheck ? 'differ' : 'changed'}`)

/** Every entry of every published library. */
function publicEntries(): readonly Entry[] {
  return readdirSync(join(root, 'packages'))
    .sort()
    .flatMap((folder) => {
      const packageDir = join(root, 'packages', folder)
      const manifest = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8')) as {
        readonly exports: { readonly [subpath: string]: { readonly types: string } | string }
      }
      return Object.entries(manifest.exports).flatMap(([subpath, target]): Entry[] => {
        if (typeof target === 'string') return []
        const name = `${folder}${subpath.slice(1).replaceAll('/', '.')}`
        return [{ packageDir, name, types: join(packageDir, target.types) }]
      })
    })
}

/** Compares or writes one report; whether it differed. */
function writeReport({ packageDir, name, types }: Entry): boolean {
  const silent = { logLevel: 'none' as ExtractorLogLevel }
  const configObject: IConfigFile = {
    projectFolder: packageDir,
    mainEntryPointFilePath: types,
    apiReport: {
      enabled: true,
      reportFolder,
      reportFileName: `${name}.api.md`,
      reportTempFolder: join(scratch, name),
    },
    docModel: { enabled: false },
    dtsRollup: { enabled: false },
    newlineKind: 'lf',
    compiler: {
      overrideTsconfig: {
        compilerOptions: {
          target: 'es2023',
          lib: ['es2023'],
          module: 'nodenext',
          moduleResolution: 'nodenext',
          allowImportingTsExtensions: true,
          noEmit: true,
          skipLibCheck: true,
          strict: true,
          exactOptionalPropertyTypes: true,
          types: ['node'],
          typeRoots: [join(root, 'node_modules/@types')],
        },
        files: [types],
      },
    },
    messages: {
      compilerMessageReporting: { default: silent },
      extractorMessageReporting: { default: silent },
      tsdocMessageReporting: { default: silent },
    },
  }
  const config = ExtractorConfig.prepare({
    configObject,
    configObjectFullPath: undefined,
    packageJsonFullPath: join(packageDir, 'package.json'),
  })
  const result = Extractor.invoke(config, {
    localBuild: !isCheck,
    messageCallback: (message) => {
      message.handled = message.logLevel !== 'error'
    },
  })
  return result.apiReportChanged
}
