import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Has a run of its own, `npm run test:distributed`.
    exclude: ['test/distributed/**'],
    pool: 'forks',
    // Two workers: the suites start real engines, and a small machine serves two of them well.
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
  },
})
