// The words that scenario files share
export type { CaseFile, ProbeResult } from './probe-result.ts'
export { anyOf, type CaseKeys, type CasePath, printCasePath, unknownKeys } from './unknown-keys.ts'
