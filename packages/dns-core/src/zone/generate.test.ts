// What `$GENERATE` stands for, and what it refuses.

import { describe, expect, it } from 'vitest'
import { generateLines } from './generate.ts'

describe('$GENERATE', () => {
  it.each([
    ['a range of numbers', '1-3', 'host$ A 192.0.2.$', ['host1 A 192.0.2.1', 'host2 A 192.0.2.2', 'host3 A 192.0.2.3']],
    ['every second one', '0-4/2', 'h$', ['h0', 'h2', 'h4']],
    ['an offset, a width and a base', '9-10', '${6,4,x} ${0,0,o} ${-9}', ['000f 11 0', '0010 12 1']],
    ['capital letters', '26-26', '${0,2,X}', ['1A']],
    ['dollars that are meant', '1-1', 'a$$b\\$c', ['a$b$c']],
    ['backslashes, which take the next character with them', '1-1', 'a\\bc\\\\d', ['ac\\d']],
  ])('fills %s', (_name, range, template, lines) => {
    expect(generateLines(range, template)).toEqual({ lines })
  })

  it.each([
    ['5-1', '$', 'bad range in $GENERATE range'],
    ['0-99999999', '$', 'bad range in $GENERATE range'],
    ['5', '$', 'bad start-stop in $GENERATE range'],
    ['x-5', '$', 'bad start in $GENERATE range'],
    ['1-x', '$', 'bad stop in $GENERATE range'],
    ['1-5/0', '$', 'bad step in $GENERATE range'],
    ['1-2', '${0,0,z}', 'bad base in $GENERATE'],
    ['1-2', '${x}', 'bad offset in $GENERATE'],
    ['1-2', '${-5}', 'bad offset in $GENERATE'],
    ['1-2', '${0,999}', 'bad width in $GENERATE'],
    ['1-2', '${0,1,d,1}', 'bad modifier in $GENERATE'],
  ])('refuses %s %s', (range, template, error) => {
    expect(generateLines(range, template)).toMatchObject({ error })
  })
})
