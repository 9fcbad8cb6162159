import { defineConfig } from 'vitest/config'

const large = 'test/**/*.{integration,e2e}.test.ts'
// Have runs of their own: `npm run test:distributed` and `npm run test:long`.
const others = ['test/distributed/**', 'test/long/**']

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
          exclude: [...others, large],
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
          exclude: others,
          // Starts nothing before a file asks for it.
          globalSetup: 'test/support/shared-servers-setup.ts',
          // Two workers: the suites start real engines, and a small machine serves two of them well.
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
