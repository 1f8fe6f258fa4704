import { describe, expect, it } from 'vitest'
import { shop } from '../testing/shop.ts'

describe('connections of one worker', () => {
  const rows: readonly (readonly [string, { readonly [key: string]: string }, number | undefined, number])[] = [
    ['are 16,384 by default', {}, 65_536, 16_384],
    ['are as many as the ConfigMap says', { 'max-worker-connections': '512' }, 65_536, 512],
    ['of 0 are three quarters of the open files', { 'max-worker-connections': '0' }, 65_536, 48_384],
    [
      'of 0 follow the files that the ConfigMap grants',
      { 'max-worker-connections': '0', 'max-worker-open-files': '4000' },
      65_536,
      3000,
    ],
    ['of 0 are never below those of 1,024 files', { 'max-worker-connections': '0' }, 1024, 768],
    ['of 0 are the default where the files are not known', { 'max-worker-connections': '0' }, undefined, 16_384],
  ]
  it.each(rows)('%s', (_, configMap, openFiles, wanted) => {
    expect(shop({ configMap, options: { openFiles } }).text).toContain(`worker_connections ${wanted};`)
  })
})
