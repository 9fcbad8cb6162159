import { defineConfig } from 'vitest/config'

const large = 'test/**/*.{integration,e2e}.test.ts'
// Has a run of its own, `npm run test:distributed`.
const distributed = 'test/distributed/**'

export default defineConfig({
  test: {
    pool: 'forks',
    // Ends what hangs, and judges nothing: a busy machine takes several times as long as a quiet one.
    testTimeout: 60_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 10_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [distributed, large],
          // They start nothing and keep nothing, so the files of a worker share the modules that it has loaded.
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'large',
          include: [large],
          exclude: [distributed],
          // Two workers: the suites start real engines, and a small machine serves two of them well.
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
