import { pause } from '../../base/async/pause.ts'
import type { Time } from '../../base/time.ts'
import type { TypedJournal } from '../../journal/typed.ts'

const EVERY_MS = 600_000

/**
 * Longest wait for the readers, ms. A part that is away must not fill the disk: a day is little beside a retention of weeks, and
 * long enough for a service that was stopped for longer than its retention to read all that it had not read.
 */
const LONGEST_WAIT_MS = 86_400_000

type Options = {
  readonly journal: Pick<TypedJournal, 'retain'>
  /** Resolves once what must be read has been read. Where it rejects, the service ends. */
  readonly read: Promise<unknown>
  readonly onFailure: (error: unknown) => void
  readonly signal: AbortSignal
  readonly time: Time
}

/**
 * Deletes expired records every ten minutes until `signal` aborts. At a start it first waits until the projections and the
 * archive have read what came before, because what is deleted before it is read is a gap in them for ever.
 */
export async function enforceRetention({ journal, read, onFailure, signal, time }: Options): Promise<void> {
  const ready = new AbortController()
  read.then(
    () => ready.abort(),
    () => undefined,
  )
  await pause(LONGEST_WAIT_MS, AbortSignal.any([signal, ready.signal]), time)
  while (!signal.aborted) {
    await journal.retain(time.now()).catch(onFailure)
    await pause(EVERY_MS, signal, time)
  }
}
