import { parseFlags } from '@kubewire/daemon-kit'
import { describe, expect, it } from 'vitest'
import { checkFlags } from './check-flags.ts'
import { flagTable } from './flags.ts'

const errors = (...argv: readonly string[]): readonly string[] => {
  const { values, problems } = parseFlags(flagTable, argv, { dialect: 'pflag' })
  return [...problems.map((problem) => problem.message), ...checkFlags(values)]
}

describe('contradictory flags stop the start', () => {
  const rows: readonly (readonly [fact: string, argv: readonly string[], message: RegExp | undefined])[] = [
    ['the defaults are fine', [], undefined],
    [
      'a Service and addresses to publish',
      ['--publish-service=a/b', '--publish-status-address=192.0.2.1'],
      /mutually exclusive/,
    ],
    [
      'a namespace and a selector of namespaces',
      ['--watch-namespace=a', '--watch-namespace-selector=x=y'],
      /mutually exclusive/,
    ],
    ['undefined hosts without hosts', ['--metrics-per-undefined-host', '--metrics-per-host=false'], /metrics-per-host/],
    ['a selector that does not parse', ['--watch-namespace-selector=x in ('], /parse/],
    ['a port that is none', ['--http-port=70000'], /--http-port/],
    [
      'a database nobody knows',
      ['--maxmind-edition-ids=GeoLite2-City,Geo'],
      /unknown Maxmind GeoIP2 edition name: 'Geo'/,
    ],
    ['no database', ['--maxmind-edition-ids='], undefined],
    ['a flag nobody knows', ['--no-such-flag'], /unknown flag/],
    ['flags of the logging library', ['--v=2', '--logtostderr', '--skip_headers=true'], undefined],
  ]
  it.each(rows)('%s', (_, argv, message) => {
    const found = errors(...argv)
    if (message === undefined) expect(found).toEqual([])
    else expect(found.join('\n')).toMatch(message)
  })
})

it('knows the 72 flags of the original', () => {
  const own = [
    'run-directory',
    'nginx-binary',
    'nginx-modules-directory',
    'nginx-user',
    'dynamic',
    'extension',
    'routes',
    'reload-drain',
  ]
  const logging = [
    'v',
    'logtostderr',
    'alsologtostderr',
    'stderrthreshold',
    'log_dir',
    'log_file',
    'log_file_max_size',
    'vmodule',
  ]
  const more = ['add_dir_header', 'skip_headers', 'skip_log_headers', 'one_output', 'log_backtrace_at']
  const extra = new Set([...own, ...logging, ...more])
  expect(Object.keys(flagTable).filter((name) => !extra.has(name)).length).toBe(72)
})
