// Planted violations must be found, and what is allowed must not be.

import { describe, expect, it } from 'vitest'
import { checkImports } from './check-imports.ts'
import { scanImports } from './scan-imports.ts'

const exports = new Map([
  ['@kubewire/kube-model', ['.', './manifest', './testing']],
  ['@kubewire/informer', ['.', './client-node']],
  ['@kubewire/dns-core', ['.']],
  ['@kubewire/nginx-gen', ['.']],
])

function faultsOf(files: Readonly<Record<string, string>>): readonly string[] {
  return checkImports({ files: new Map(Object.entries(files)), exports })
}

describe('an import that breaks the table is found', () => {
  it.each([
    [
      'a pure package that reads files',
      'packages/dns-core/src/a.ts',
      "import fs from 'node:fs'",
      'may not import node:fs',
    ],
    [
      'a pure package with observables',
      'packages/nginx-gen/src/a.ts',
      "import { of } from 'rxjs'",
      'may not import rxjs',
    ],
    [
      'a generator that knows informers',
      'packages/nginx-gen/src/a.ts',
      "import type { Store } from '@kubewire/informer'",
      'may not import @kubewire/informer',
    ],
    [
      'two generators that know each other',
      'packages/dns-core/src/a.ts',
      "import { x } from '@kubewire/nginx-gen'",
      'may not import @kubewire/nginx-gen',
    ],
    [
      'a daemon with another generator',
      'apps/coredns-ts/src/a.ts',
      "import { x } from '@kubewire/nginx-gen'",
      'may not import @kubewire/nginx-gen',
    ],
    [
      'a deep import into a package',
      'apps/coredns-ts/src/a.ts',
      "import { x } from '@kubewire/dns-core/src/name.ts'",
      'deep import',
    ],
    [
      'an import spread over lines',
      'packages/dns-core/src/a.ts',
      "import {\n  a,\n  b,\n} from 'rxjs'",
      'may not import rxjs',
    ],
    ['an export from elsewhere', 'packages/dns-core/src/a.ts', "export { of } from 'rxjs'", 'may not import rxjs'],
    ['an import for its effects', 'packages/dns-core/src/a.ts', "import 'rxjs'", 'may not import rxjs'],
    ['a lazy import', 'packages/dns-core/src/a.ts', "const fs = await import('node:fs')", 'may not import node:fs'],
    [
      'client-node outside its folder',
      'packages/informer/src/a.ts',
      "import { KubeConfig } from '@kubernetes/client-node'",
      'src/client-node/ alone',
    ],
    [
      'a heavy package that is not loaded lazily',
      'packages/mini-apiserver/src/a.ts',
      "import { generate } from 'selfsigned'",
      'await import()',
    ],
    ['a built-in module without its prefix', 'apps/coredns-ts/src/a.ts', "import net from 'net'", 'write node:net'],
    [
      'the file ending of the output',
      'packages/dns-core/src/a.ts',
      "import { b } from './b.js'",
      'expected a .ts file',
    ],
    ['a file that is not there', 'packages/dns-core/src/a.ts', "import { b } from './b.ts'", 'no such file'],
    [
      'a clock in pure code',
      'packages/dns-core/src/a.ts',
      'export const now = () => Date.now()',
      'pure code calls Date.now(',
    ],
    ['output from pure code', 'packages/dns-core/src/a.ts', "console.log('x')", 'pure code calls console.'],
  ])('%s', (_, path, source, message) => {
    expect(faultsOf({ [path]: source }).join('\n')).toContain(message)
  })

  it('a path into another package', () => {
    const faults = faultsOf({
      'test/a.ts': "import { b } from '../packages/dns-core/src/b.ts'",
      'packages/dns-core/src/b.ts': 'export const b = 1',
    })
    expect(faults).toEqual(['test/a.ts:1: ../packages/dns-core/src/b.ts reaches into packages/dns-core (deep import)'])
  })

  it('a cycle, also of types alone', () => {
    const faults = faultsOf({
      'packages/dns-core/src/a.ts': "import type { B } from './b.ts'",
      'packages/dns-core/src/b.ts': "import type { C } from './c.ts'",
      'packages/dns-core/src/c.ts': "import type { A } from './a.ts'",
    })
    expect(faults).toHaveLength(1)
    expect(faults[0]).toContain('cycle of imports: packages/dns-core/src/a.ts → packages/dns-core/src/b.ts')
  })
})

describe('what the table allows passes', () => {
  it.each([
    ['the vocabulary everywhere', 'packages/dns-core/src/a.ts', "import { parseIp } from '@kubewire/kube-model'"],
    [
      'builders and node modules in a test beside the code',
      'packages/dns-core/src/a.test.ts',
      "import fs from 'node:fs'\nimport { service } from '@kubewire/kube-model/testing'",
    ],
    [
      'client-node in its folder',
      'packages/informer/src/client-node/a.ts',
      "import { KubeConfig } from '@kubernetes/client-node'",
    ],
    [
      'a heavy package loaded lazily',
      'packages/mini-apiserver/src/a.ts',
      "const { generate } = await import('selfsigned')",
    ],
    ['everything in tests', 'test/a.ts', "import { of } from 'rxjs'\nimport { x } from '@kubewire/nginx-gen'"],
    [
      'import statements in comments',
      'packages/dns-core/src/a.ts',
      "// import { of } from 'rxjs'\n/*\nimport { of } from 'rxjs'\n*/",
    ],
    ['a clock named in a comment', 'packages/dns-core/src/a.ts', '// never Date.now()'],
  ])('%s', (_, path, source) => {
    expect(faultsOf({ [path]: source })).toEqual([])
  })
})

describe('the scanner', () => {
  it('tells erased imports from real and lazy ones and knows their lines', () => {
    const source = [
      "import type { A } from './a.ts'",
      "import { type B, c } from './b.ts'",
      'const pattern = /[\'"]/',
      `export type D = ${'import'}('./d.ts').D`,
      `const e = await ${'import'}('./e.ts')`,
    ].join('\n')
    expect(scanImports(source).map(({ specifier, line, kind }) => `${line} ${specifier} ${kind}`)).toEqual([
      '1 ./a.ts type',
      '2 ./b.ts static',
      '4 ./d.ts type',
      '5 ./e.ts lazy',
    ])
  })
})
