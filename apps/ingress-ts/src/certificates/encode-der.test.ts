import { describe, expect, it } from 'vitest'
import { der, derOid, derTag, derTime } from './encode-der.ts'

it('numbers of an identifier take seven bits a byte', () => {
  expect(derOid('1.2.840.113549.1.1.11').toString('hex')).toBe('06092a864886f70d01010b')
  expect(derOid('2.5.29.17').toString('hex')).toBe('0603551d11')
})

describe('a length says first how many bytes it has, where it does not fit into seven bits', () => {
  it.each([
    [0, '0400'],
    [127, '047f'],
    [128, '048180'],
    [255, '0481ff'],
    [256, '04820100'],
  ])('%i bytes', (length, head) => {
    const element = der(derTag.octetString, Buffer.alloc(length))
    expect(element.subarray(0, element.length - length).toString('hex')).toBe(head)
  })
})

it('years have two digits before 2050', () => {
  expect(derTime(Date.UTC(2049, 11, 31, 23, 59, 59)).toString('latin1')).toBe('\x17\r491231235959Z')
  expect(derTime(Date.UTC(2050, 0, 1)).toString('latin1')).toBe('\x18\x0f20500101000000Z')
})
