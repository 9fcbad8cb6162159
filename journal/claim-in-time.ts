import { cancelTimer, systemTime, type Time } from '../base/time.ts'
import { type Claim, JournalError } from './journal.ts'
import type { TypedJournal } from './typed.ts'

/** Claims a name, and waits at most `ms` for it. Throws `JournalError` `unavailable` if another process keeps it longer. */
export async function claimInTime(
  journal: Pick<TypedJournal, 'claim'>,
  name: string,
  ms: number,
  signal?: AbortSignal,
  time: Time = systemTime,
): Promise<Claim> {
  const timeout = new AbortController()
  const timer = time.timer(ms, () => timeout.abort()).unref()
  try {
    return await journal.claim(name, signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal)
  } catch (cause) {
    if (!timeout.signal.aborted || signal?.aborted) throw cause
    const detail = `another process has held the claim ${name} for ${ms / 1000} s: try again when it has ended`
    throw new JournalError('unavailable', detail, { cause })
  } finally {
    cancelTimer(timer)
  }
}
