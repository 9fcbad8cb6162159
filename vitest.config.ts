import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Has a run of its own, `npm run test:distributed`.
    exclude: ['test/distributed/**'],
    pool: 'forks',
    // Two workers: the suites start real engines, and a small machine serves two of them well.
    maxWorkers: 2,
    // Ends what hangs, and judges nothing: a busy machine takes several times as long as a quiet one.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 10_000 } },
  },
})
