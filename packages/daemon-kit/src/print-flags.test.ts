import { expect, test } from 'vitest'
import type { FlagTable } from './go-flags.ts'
import { printFlags } from './print-flags.ts'

const table = {
  conf: { kind: 'string', default: 'Corefile', help: 'Corefile to load' },
  quiet: { kind: 'bool', default: false, help: 'Quiet mode' },
  v: { kind: 'int', default: 0, help: 'number for the log level verbosity', shorthand: 'v' },
  'node-ip': { kind: 'list', default: [], help: 'addresses' },
} as const satisfies FlagTable
const pflag = { dialect: 'pflag' } as const

test('the usage text has the shape of Go', () => {
  expect(printFlags({ conf: table.conf, quiet: table.quiet })).toBe(
    '  -conf string\n    \tCorefile to load (default "Corefile")\n  -quiet\n    \tQuiet mode\n',
  )
  expect(printFlags({ v: table.v, 'node-ip': table['node-ip'] }, pflag)).toBe(
    '      --node-ip strings   addresses\n  -v, --v int             number for the log level verbosity\n',
  )
})
