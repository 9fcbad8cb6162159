import { type Claim, JournalError } from './journal.ts'
import type { TypedJournal } from './typed.ts'

/** Claims a name, and waits at most `ms` for it. Throws `JournalError` `unavailable` if another process keeps it longer. */
export async function claimInTime(
  journal: Pick<TypedJournal, 'claim'>,
  name: string,
  ms: number,
  signal?: AbortSignal,
): Promise<Claim> {
  const timeout = AbortSignal.timeout(ms)
  try {
    return await journal.claim(name, signal ? AbortSignal.any([signal, timeout]) : timeout)
  } catch (cause) {
    if (!timeout.aborted || signal?.aborted) throw cause
    const detail = `another process has held the claim ${name} for ${ms / 1000} s: try again when it has ended`
    throw new JournalError('unavailable', detail, { cause })
  }
}
