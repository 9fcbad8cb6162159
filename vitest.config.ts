import { configDefaults, defineConfig } from 'vitest/config'
import { patience } from './test/support/patience.ts'
import { WaitingFirst } from './test/support/waiting-first.ts'

const large = 'test/**/*.{integration,e2e}.test.ts'
const adapters = ['test/{access,api,archive,journal,projections,streams}/**/*.integration.test.ts']
/**
 * Files that need a process of their own: they replace a module, or measure the memory of their process. The others keep nothing
 * in it, so that those of a worker share the modules that it has loaded. That saves half a second of CPU time a file.
 */
const alone = [
  'test/cli/fred-vintages.integration.test.ts',
  'test/ingest/parser/parser-unavailable.integration.test.ts',
  'test/ingest/schedule/bomb.integration.test.ts',
  'test/streams/stopped-clients.integration.test.ts',
]
// Have runs of their own: `npm run test:distributed` and `npm run test:long`.
const others = [...configDefaults.exclude, 'test/distributed/**', 'test/long/**']
// Starts nothing before a file asks for it.
const globalSetup = 'test/support/shared-servers-setup.ts'
const reportFailures = 'test/support/report-failures.ts'

export default defineConfig({
  test: {
    pool: 'forks',
    execArgv: ['--import', new URL('base/process/module-cache.mjs', import.meta.url).href],
    ...patience,
    sequence: { sequencer: WaitingFirst },
    // Node loads the modules itself, as in the service: Vite's runner takes a twentieth of the run's CPU time more.
    experimental: { viteModuleRunner: false, nodeLoader: false },
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
          include: adapters,
          exclude: [...others, ...alone],
          globalSetup,
          isolate: false,
          maxWorkers: 5,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          // Replaces modules, which only Vite's runner can.
          experimental: { viteModuleRunner: true },
          include: alone,
          exclude: others,
          globalSetup,
          maxWorkers: 5,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'large',
          include: [large],
          exclude: [...others, ...adapters, ...alone],
          globalSetup,
          setupFiles: reportFailures,
          isolate: false,
          maxWorkers: 5,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
