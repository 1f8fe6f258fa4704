import { describe, expect, test } from 'vitest'
import { type FlagOptions, type FlagTable, parseFlags } from './go-flags.ts'

const table = {
  conf: { kind: 'string', default: 'Corefile', help: 'Corefile to load' },
  quiet: { kind: 'bool', default: false, help: 'Quiet mode' },
  v: { kind: 'int', default: 0, help: 'number for the log level verbosity', shorthand: 'v' },
  'sync-period': { kind: 'duration', default: 30_000, help: 'how often' },
  'node-ip': { kind: 'list', default: [], help: 'addresses' },
  header: { kind: 'array', default: [], help: 'repeatable' },
  'feature-gates': { kind: 'map', default: {}, help: 'gates' },
  ratio: { kind: 'float', default: 1, help: 'share' },
} as const satisfies FlagTable

const flag: FlagOptions = { dialect: 'flag' }
const pflag: FlagOptions = { dialect: 'pflag', hasWordSeparators: true }

describe('a flag is read', () => {
  test.each([
    ['one dash and a word after it', flag, ['-conf', 'a'], { conf: 'a' }],
    ['two dashes and an equals sign', flag, ['--conf=a=b'], { conf: 'a=b' }],
    ['an empty value after the equals sign', flag, ['-conf='], { conf: '' }],
    ['a boolean alone', flag, ['-quiet'], { quiet: true }],
    ['a boolean with a value', flag, ['-quiet=F'], { quiet: false }],
    ['a boolean never takes the next word', flag, ['-quiet', 'false'], { quiet: true }],
    ['a duration in milliseconds', pflag, ['--sync-period', '1m30s'], { 'sync-period': 90_000 }],
    ['underscores for dashes', pflag, ['--sync_period=1s'], { 'sync-period': 1000 }],
    ['a list from commas and repetition', pflag, ['--node-ip=a,b', '--node-ip', 'c'], { 'node-ip': ['a', 'b', 'c'] }],
    ['an array keeps its commas', pflag, ['--header=a,b', '--header=c'], { header: ['a,b', 'c'] }],
    [
      'a map from pairs',
      pflag,
      ['--feature-gates=A=true, B=false', '--feature-gates=C=true'],
      {
        'feature-gates': { A: 'true', B: 'false', C: 'true' },
      },
    ],
    ['a shorthand with its value attached', pflag, ['-v5'], { v: 5 }],
    ['a shorthand with an equals sign', pflag, ['-v=5'], { v: 5 }],
    ['a shorthand and a word', pflag, ['-v', '-3'], { v: -3 }],
    ['a hexadecimal number', flag, ['-v', '0x10'], { v: 16 }],
    ['the last of a repeated flag counts', flag, ['-conf=a', '-conf=b'], { conf: 'b' }],
  ] as const)('%s', (_name, options, argv, expected) => {
    const { values, problems, given } = parseFlags(table, argv, options)
    expect(problems).toEqual([])
    expect(values).toMatchObject(expected)
    expect([...given]).toEqual(Object.keys(expected))
  })
})

describe('a command line that is wrong says so in the words of Go', () => {
  test.each([
    [flag, ['-nope'], 'flag provided but not defined: -nope'],
    [flag, ['-conf'], 'flag needs an argument: -conf'],
    [flag, ['-v=x'], 'invalid value "x" for flag -v: invalid syntax'],
    [flag, ['-quiet=x'], 'invalid boolean value "x" for -quiet: invalid syntax'],
    [pflag, ['--nope=1'], 'unknown flag: --nope'],
    [pflag, ['-x'], "unknown shorthand flag: 'x' in -x"],
    [pflag, ['--conf'], 'flag needs an argument: --conf'],
    [pflag, ['-v'], "flag needs an argument: 'v' in -v"],
    [pflag, ['--v=x'], 'invalid argument "x" for "-v, --v" flag: strconv.ParseInt: parsing "x": invalid syntax'],
    [pflag, ['--sync-period=5'], 'invalid argument "5" for "--sync-period" flag: time: missing unit in duration "5"'],
    [
      pflag,
      ['--feature-gates=A'],
      'invalid argument "A" for "--feature-gates" flag: malformed pair, expect string=string',
    ],
  ] as const)('%j %j', (options, argv, message) => {
    const { problems, values } = parseFlags(table, argv, options)
    expect(problems.map((problem) => problem.message)).toEqual([message])
    expect(values.v).toBe(0)
  })
})

test('flag stops at the first argument, pflag goes on', () => {
  expect(parseFlags(table, ['a', '-quiet'], flag)).toMatchObject({ args: ['a', '-quiet'], values: { quiet: false } })
  expect(parseFlags(table, ['a', '--quiet'], pflag)).toMatchObject({ args: ['a'], values: { quiet: true } })
  expect(parseFlags(table, ['--', '--quiet'], pflag)).toMatchObject({ args: ['--quiet'], values: { quiet: false } })
})

test('help is asked for unless a flag has that name', () => {
  expect(parseFlags(table, ['--help'], pflag).isHelp).toBe(true)
  expect(parseFlags(table, ['-h'], flag).isHelp).toBe(true)
})

test('a check refuses a value of the right type', () => {
  const port = {
    kind: 'int',
    default: 53,
    help: '',
    check: (n: number) => (n > 65535 ? 'too big' : undefined),
  } as const
  const { problems, values } = parseFlags({ port }, ['-port=70000'])
  expect(values.port).toBe(53)
  expect(problems[0]?.message).toBe('invalid value "70000" for flag -port: too big')
})
