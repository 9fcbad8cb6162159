import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { serviceIsThere } from '../support/services.ts'

/**
 * `npm run test:distributed`: the end-to-end suite once more, on real Kafka, schema registry and Redis, and what happens
 * when one of them or one of our own nodes is killed.
 */
const canRun = [serviceIsThere('java'), serviceIsThere('redis')].every(Boolean)
if (!canRun) console.warn('left out: Java 17 or redis-server is not on this machine (docs/infra.md)')

export default defineConfig({
  test: {
    root: join(import.meta.dirname, '../..'),
    include: canRun ? ['test/distributed/*.test.ts', 'test/e2e/*.e2e.test.ts'] : [],
    // They judge the embedded default; `kill.e2e.test.ts` is what also runs on Kafka and Redis.
    exclude: [...configDefaults.exclude, 'test/e2e/chaos.e2e.test.ts', 'test/e2e/documents.e2e.test.ts'],
    passWithNoTests: !canRun,
    globalSetup: 'test/distributed/setup.ts',
    pool: 'forks',
    // One file after the other: each starts several nodes, and some of them count seconds.
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 10_000 } },
  },
})
