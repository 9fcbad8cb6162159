import type { Time } from '../time.ts'

/**
 * Resolves after `ms`, or as soon as `signal` aborts. Never rejects, so the calling loop must check the signal itself.
 */
export async function pause(ms: number, signal: AbortSignal, time: Time): Promise<void> {
  try {
    await time.after(ms, signal)
  } catch {
    // The signal aborted. A timer rejects for no other reason.
  }
}
