import { AsyncLocalStorage } from 'node:async_hooks'
import { aroundEach, onTestFinished as onTestFinishedOfVitest, type TestContext } from 'vitest'

const contexts = new AsyncLocalStorage<TestContext>()

/** Call it in the file or `describe` of concurrent tests, so that `onTestFinished` below knows which of them calls it. */
export const distinguishTests = (): void => aroundEach((run, context) => contexts.run(context, run))

/**
 * Like vitest's, also for helpers of concurrent tests: vitest's own takes the test that began last for the caller. Call it
 * in code that a test runs or awaits. A callback of a native module is in no test.
 */
export const onTestFinished: typeof onTestFinishedOfVitest = (cleanup) =>
  (contexts.getStore()?.onTestFinished ?? onTestFinishedOfVitest)(cleanup)
