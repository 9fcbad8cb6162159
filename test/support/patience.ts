/**
 * How long a test waits for what must come. These limits end what hangs and judge nothing: a busy machine takes several times
 * as long as a quiet one, so that no test has a shorter limit of its own.
 */
export const UNTIL_MS = 180_000

/** For vitest's configurations; `npm run test:long` sets a longer `testTimeout`. */
export const patience = {
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: UNTIL_MS } },
} as const
