// A reporter of vitest: writes why a `beforeAll` or `afterAll` failed to the file that FAILED_HOOKS names. Vitest's own
// report has the tests that were then skipped, and not the reason.
import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'

export default class FailedHooks {
  onTestSuiteResult(suite) {
    for (const { stack, message } of suite.errors())
      appendFileSync(
        process.env.FAILED_HOOKS,
        `failed: hook of ${suite.fullName} (${relative(process.cwd(), suite.module.moduleId)})\n${message}\n${stack}\n`,
      )
  }
}
