import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Resolves after `ms`, or as soon as `signal` aborts. Never rejects, so the calling loop must check the signal itself.
 */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal })
  } catch {
    // The signal aborted. A timer rejects for no other reason.
  }
}
