import { systemTime, type Time } from '../../base/time.ts'

/** The system's timers and chance, with clocks that the test sets. */
export const timeWith = (now: () => number, monotonic = systemTime.monotonic): Time => ({
  ...systemTime,
  now,
  monotonic,
})
