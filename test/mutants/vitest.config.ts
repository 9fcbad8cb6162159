import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { patience } from '../support/patience.ts'

/** `npm run mutants`: unit tests, in threads that Stryker starts. `main.ts` names the files. */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '../..'),
    include: JSON.parse(process.env.ALMANAC_TEST_FILES ?? '[]'),
    pool: 'threads',
    ...patience,
    isolate: false,
    // Node loads the modules itself, as in `npm test`. A mutant is a branch in the instrumented file, so nothing is loaded anew.
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
})
