import { describe, expect, it } from 'vitest'
import { type CorednsFlags, readFlags } from './flags.ts'

describe('the flags of CoreDNS', () => {
  it.each<readonly [readonly string[], Partial<CorednsFlags>, string]>([
    [['-conf', 'x', '-dns.port', '1053'], { conf: 'x', defaultPort: 1053 }, 'one dash, value behind it'],
    [['--conf=x', '-p=54'], { conf: 'x', defaultPort: 54 }, 'two dashes, the short name of the port'],
    [['-quiet', '-pidfile', 'p'], { isQuiet: true, pidFile: 'p' }, 'quiet start with a pid file'],
    [['-version'], { isVersion: true }, 'the version'],
    [['-plugins'], { listsPlugins: true }, 'the list of plugins'],
    [['-log-format', 'json'], { isJsonLog: true }, 'JSON log lines'],
    [[], { conf: '', defaultPort: 53, isQuiet: false }, 'the defaults'],
  ])('%j: %o (%s)', (argv, expected) => {
    expect(readFlags(argv).flags).toMatchObject(expected)
  })

  it('report what they do not know', () => {
    expect(readFlags(['-nope']).parsed.problems.map(({ message }) => message)).toEqual([
      'flag provided but not defined: -nope',
    ])
  })
})
