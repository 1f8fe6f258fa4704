// Words for types, classes and codes in configuration: those of the original's tables (miekg/dns StringToType and its
// neighbours), letter case counting. Numbers such as TYPE65280 are no words there, and BADVERS has the name of its twin.

import { className, classNumber, rcodeNumber, typeName, typeNumber } from '../record-types.ts'

/** 28 for `AAAA`. COMPAT: `None` and `Reserved` are types. */
export function typeWord(word: string): number | undefined {
  const number = word === 'None' ? 0 : word === 'Reserved' ? 65535 : typeNumber(word)
  return number !== undefined && typeName(number) === word && !/^TYPE[0-9]/.test(word) ? number : undefined
}

/** 1 for `IN`. */
export function classWord(word: string): number | undefined {
  if (word === 'CS') return 2
  const number = classNumber(word)
  return number !== undefined && className(number) === word && !/^CLASS[0-9]/.test(word) ? number : undefined
}

/** 3 for `NXDOMAIN`. */
export function rcodeWord(word: string): number | undefined {
  if (Object.hasOwn(otherCodes, word)) return otherCodes[word]
  return word === word.toUpperCase() && word !== 'BADVERS' ? rcodeNumber(word) : undefined
}

const otherCodes: { readonly [word: string]: number } = { DSOTYPENI: 11, BADSIG: 16, NOTIMPL: 4 }
