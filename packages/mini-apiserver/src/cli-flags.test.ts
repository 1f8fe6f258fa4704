import { describe, expect, it } from 'vitest'
import { parseCliFlags, usage } from './cli-flags.ts'

describe('flags of the command', () => {
  it('takes values after a space or an equals sign, and repeated ones', () => {
    expect(
      parseCliFlags(['--manifests', 'a', '--manifests=b', '--http', '--user', 't=bob', '--endpoint-slices=false']),
    ).toMatchObject({
      options: {
        manifests: ['a', 'b'],
        isPlainHttp: true,
        users: { t: 'bob' },
        runsEndpointSlices: false,
        listen: '127.0.0.1:6443',
      },
    })
  })

  it.each([
    [['--nope'], 'unknown flag "--nope"'],
    [['serve'], 'unknown flag "serve"'],
    [['--listen'], 'flag --listen needs a value'],
  ])('%j is refused', (argv, wanted) => {
    expect(parseCliFlags(argv)).toEqual({ error: wanted })
  })

  it('every flag of the usage is understood', () => {
    for (const [, name] of usage.matchAll(/^ {2}--([a-z-]+)/gm))
      expect(parseCliFlags([`--${name}=x`])).toHaveProperty('options')
  })
})
