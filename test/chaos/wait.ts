import { setTimeout as sleep } from 'node:timers/promises'

export { sleep }

const LOOK_EVERY_MS = 100

/** Looks until `isTrue` answers true. Resolves with false when `withinMs` is over; passes on what `isTrue` throws. */
export async function becomes(isTrue: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs
  for (;;) {
    if (await isTrue()) return true
    if (performance.now() > until) return false
    await sleep(LOOK_EVERY_MS)
  }
}
