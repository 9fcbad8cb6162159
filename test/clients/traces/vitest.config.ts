import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { patience } from '../../support/patience.ts'

/** `npm run clients:record`: records the traces of `clients/traces` on the real service. */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '../../..'),
    include: ['test/clients/traces/*.record.ts'],
    pool: 'forks',
    fileParallelism: false,
    ...patience,
  },
})
