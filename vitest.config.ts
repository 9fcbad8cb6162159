import { configDefaults, defineConfig } from 'vitest/config'

const large = 'test/**/*.{integration,e2e}.test.ts'
/**
 * Files that keep nothing in their process, so that those of a worker share the modules that it has loaded. That saves half a
 * second of CPU time a file. `stopped-clients` replaces a module, so it needs a process of its own.
 */
const sharing = [
  'test/{access,api,archive,journal,projections}/**/*.integration.test.ts',
  'test/streams/**/!(stopped-clients).integration.test.ts',
]
// Have runs of their own: `npm run test:distributed` and `npm run test:long`.
const others = [...configDefaults.exclude, 'test/distributed/**', 'test/long/**']
// Starts nothing before a file asks for it.
const globalSetup = 'test/support/shared-servers-setup.ts'

export default defineConfig({
  test: {
    pool: 'forks',
    // Ends what hangs, and judges nothing: a busy machine takes several times as long as a quiet one.
    testTimeout: 180_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 10_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...others, large],
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      // More workers than the two cores of a small machine, because these and the large ones, which run beside them, wait for
      // deadlines and for other processes.
      {
        extends: true,
        test: {
          name: 'adapters',
          include: sharing,
          exclude: others,
          globalSetup,
          isolate: false,
          maxWorkers: 5,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'large',
          include: [large],
          exclude: [...others, ...sharing],
          globalSetup,
          maxWorkers: 5,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
