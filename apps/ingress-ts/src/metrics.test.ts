import { describe, expect, it } from 'vitest'
import { kindOfReason } from './metrics.ts'

describe('The metric of reload reasons counts by kind', () => {
  it.each([
    ['start', 'start'],
    ['setting hsts changed', 'setting'],
    ['host tea.example.org added', 'host'],
    ['host tea.example.org path prefix /cups changed', 'path'],
    ['stream service TCP 9000 changed', 'stream'],
    ['content of a file changed', 'file'],
    ['default certificate changed', 'certificate'],
    ['and 12 more', 'other'],
  ])('%s → %s', (reason, kind) => expect(kindOfReason(reason)).toBe(kind))
})
