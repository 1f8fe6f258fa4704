import { describe, expect, it } from 'vitest'
import { type CompatResult, printCompatMatrix, printCompatPage } from './compat-page.ts'

const sums = { files: 2, passed: 9, failed: 1, skipped: 3 }
const result: CompatResult = {
  suites: [{ suite: 'dns', ...sums }],
  total: sums,
  failing: { 'dns/autopath': 1 },
  notRunnable: { 'needs a second server': 3 },
}

describe('printCompatPage', () => {
  it('puts ours beside the original, with what does not pass by name', () => {
    const page = printCompatPage('dns', { library: result, original: { ...result, failing: {}, notRunnable: {} } })
    expect(page).toContain('| suite | files | ours, in process | CoreDNS 1.15.0 |')
    expect(page).toContain('| dns | 2 | 9 of 10 (90 %), 3 not runnable | 9 of 10 (90 %), 3 not runnable |')
    expect(page).toContain('- `dns/autopath`: 1 failed')
    expect(page).toContain('- not runnable, 3 probes: needs a second server')
    expect(page).toContain('pnpm conformance dns --target original')
  })
})

it('the matrix has a line for each area, with what was not run left open', () => {
  const lines = printCompatMatrix({ dns: { library: result } }).split('\n')
  expect(lines).toContain('| [dns](dns.md) | CoreDNS 1.15.0 | 2 | 9 of 10 (90 %), 3 not runnable | – | – |')
  expect(lines).toContain('| [ingress](ingress.md) | ingress-nginx 1.15.1 | 0 | – | – | – |')
})
