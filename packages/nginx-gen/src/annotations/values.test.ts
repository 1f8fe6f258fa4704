import { describe, expect, it } from 'vitest'
import { compiles } from './compiles.ts'
import { basic, cidr, flag, integer, nginxTime, pathWithCaptures, serverName, size, url } from './values.ts'

describe('value parsers', () => {
  it.each([
    ['flag', flag, 'true', true],
    ['flag', flag, 'F', false],
    ['flag', flag, 'yes', undefined],
    ['integer', integer, '-3', -3],
    ['integer', integer, '1.5', undefined],
    ['integer', integer, '99999999999', undefined],
    ['size', size, '8K', '8K'],
    ['size', size, '12b', '12'],
    ['size', size, 'k', undefined],
    ['time', nginxTime, '1h30m', '1h30m'],
    ['time', nginxTime, '1 h', undefined],
    ['cidr', cidr, '192.0.2.7/24', '192.0.2.0/24'],
    ['cidr', cidr, '2001:db8::1', '2001:db8::1'],
    ['cidr', cidr, '192.0.2.0/33', undefined],
    ['basic', basic, 'a/b-c', 'a/b-c'],
    ['basic', basic, 'a b', undefined],
    ['path', pathWithCaptures, '/$1/x', '/$1/x'],
    ['path', pathWithCaptures, '/a b', undefined],
    ['url', url, 'https://a.example/?x=1', 'https://a.example/?x=1'],
    ['url', url, 'https://a.example/;x', undefined],
    ['server name', serverName, '~^www\\d+\\.example$', '~^www\\d+\\.example$'],
    ['server name', serverName, '~^(', undefined],
  ] as const)('%s %#: %o', (_, parser, text, value) => {
    expect(parser.parse(text as string)).toBe(value)
  })
})

describe('what PCRE2 compiles', () => {
  it.each([
    ['^/a(b|c)?$', true],
    ['(?i)/x', true],
    ['^/(?<name>[a-z]+)', true],
    ['(', false],
    ['(?P<id>[0-9]++)/(?>a|b)', true],
    ['(?i:x)(?-i)y', true],
    ['a{2,1}', false],
    ['[]', false],
    ['\\u1234', false],
    ['\\', false],
    ['(?<=a+)b', false],
    ['\\2(a)', false],
    ['(a)\\1', true],
    ['[[:nothing:]]', false],
    ['(*ACCEPT)', false],
    ['a'.repeat(2000), false],
  ])('%s: %s', (pattern, good) => {
    expect(compiles(pattern)).toBe(good)
  })
})
