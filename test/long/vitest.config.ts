import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { patience } from '../support/patience.ts'

/** `npm run test:recorded`: tests that exist only in the long tier. Each says what it needs. */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '../..'),
    include: ['test/long/**/*.test.ts'],
    pool: 'forks',
    ...patience,
  },
})
