import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { patience } from '../support/patience.ts'
import { serviceIsThere } from '../support/services.ts'
import { WaitingFirst } from '../support/waiting-first.ts'

/**
 * `npm run test:distributed`: what real Kafka, schema registry and Redis can change of the end-to-end suite, and what happens
 * when one of them or one of our own nodes is killed.
 */
const canRun = [serviceIsThere('java'), serviceIsThere('redis')].every(Boolean)
if (!canRun) console.warn('left out: Java 17 or redis-server is not on this machine (docs/infra.md)')

const project = {
  root: join(import.meta.dirname, '../..'),
  pool: 'forks',
  setupFiles: 'test/support/report-failures.ts',
  ...patience,
} as const
/** Count seconds while a part is away or ends, or start a cluster: nothing runs beside them. */
const timed = ['kafka-nodes', 'shared-redis', 'shutdown'].map((name) => `test/distributed/${name}.test.ts`)
const e2e = (name: string) => `test/e2e/${name}.e2e.test.ts`
/** What the engines can change end to end; the contract suites prove the adapters themselves. */
const changed = ['service', 'streams', 'kill', 'backup'].map(e2e)
/** With ALMANAC_TEST_WHOLE=1 the whole end-to-end suite is repeated. */
const repeated = process.env.ALMANAC_TEST_WHOLE === '1' ? [e2e('*')] : changed
const files = canRun ? ['test/distributed/*.test.ts', ...repeated] : []
const notHere = [
  // They judge the embedded default; `kill.e2e.test.ts` is what also runs on Kafka and Redis.
  'chaos',
  'documents',
  // They start the service on the embedded journal in every run, and would do the same twice.
  'damaged',
  'full-disk',
  'readiness',
  'schedule',
  // They look at the embedded store's own socket, and at pages in a browser: nothing that Kafka or Redis could change.
  'store-access',
  'console',
].map(e2e)

export default defineConfig({
  test: {
    passWithNoTests: !canRun,
    // Not part of a project, because each project would start services of its own.
    globalSetup: join(import.meta.dirname, 'setup.ts'),
    sequence: { sequencer: WaitingFirst },
    projects: [
      {
        test: {
          ...project,
          name: 'timed',
          include: canRun ? timed : [],
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...project,
          name: 'distributed',
          include: files,
          exclude: [...configDefaults.exclude, ...timed, ...notHere],
          // Each data directory has topics and a Redis database of its own (`settingsOn`), so files run beside each other:
          // two, because with three the starts alone take longer than a minute on two cores.
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
    ],
  },
})
