import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

// Everything runs from source: the condition below maps `@kubewire/*` to `src/*.ts`, so no test needs a build.
const conditions = ['@kubewire/source', 'node', 'import', 'module', 'default']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    reporters: process.env['KUBEWIRE_COUNTS'] === undefined ? ['default'] : ['default', './tools/count-reporter.ts'],
    // Some suites mostly wait (for API servers, for clocks), so one worker more than there are cores.
    maxWorkers: availableParallelism() + 1,
    coverage: { provider: 'v8', include: ['{packages,apps}/*/src/**'] },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            '{packages,apps}/*/src/**/*.test.ts',
            'test/**/*.test.ts',
            'tools/**/*.test.ts',
            'examples/*/*.test.ts',
          ],
          exclude: ['**/node_modules/**', '**/dist/**'],
        },
      },
      {
        extends: true,
        test: {
          name: 'kernel',
          include: ['test/**/*.kernel.ts'],
          pool: 'forks',
          fileParallelism: false,
          maxWorkers: 1,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
