import type { Topic } from '../contracts/topics.ts'
import type { TypedJournal } from '../journal/typed.ts'
import type { Processor } from './processor.ts'

const TIMER_RESOLUTION_MS = 100

type TimerOptions = {
  readonly journal: TypedJournal
  readonly partition: number
  readonly signal: AbortSignal
  readonly now: () => number
  /** Called with the error of an append that failed. No timer fires after it. */
  readonly failed: (error: unknown) => void
}

/**
 * Appends due timers while the processor is caught up. Each is read back as input, and the processor decides on it
 * then.
 */
export function startTimers<I extends Topic, S>(
  processor: Processor<I, S>,
  state: S,
  { journal, partition, signal, now, failed }: TimerOptions,
) {
  let caughtUp = false
  let appending = false
  const fire = async () => {
    if (!caughtUp || appending || signal.aborted) return
    const at = now()
    const due = [...(processor.timers?.(state, at) ?? [])].filter((timer) => timer.dueAt <= at)
    if (due.length === 0) return
    appending = true
    // The state shows these timers as due until they are read back. Firing again would be
    // harmless, because deciders ignore a timer that is over, but would waste records.
    caughtUp = false
    const drafts = due.map((timer) => timer.tick(at))
    await journal.append('ticks', partition, drafts)
    appending = false
  }
  const interval = setInterval(() => fire().catch(failed), TIMER_RESOLUTION_MS)
  interval.unref()
  const arm = (value: boolean): void => {
    caughtUp = value
  }
  return { arm, stop: () => clearInterval(interval) }
}
