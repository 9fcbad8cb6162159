import type { Topic } from '../contracts/topics.ts'
import type { TypedJournal } from '../journal/typed.ts'
import type { Processor } from './processor.ts'

const TIMER_RESOLUTION_MS = 100

/** Appends the timers that are due, while the processor is caught up; each is read back as input and decided on there. */
export function startTimers<I extends Topic, S>(
  processor: Processor<I, S>,
  state: S,
  journal: TypedJournal,
  partition: number,
  signal: AbortSignal,
  now: () => number,
) {
  let caughtUp = false
  let appending = false
  const fire = async () => {
    if (!caughtUp || appending || signal.aborted) return
    const at = now()
    const due = [...(processor.timers?.(state, at) ?? [])].filter((timer) => timer.dueAt <= at)
    if (due.length === 0) return
    appending = true
    // Until these are read back the state still has them as due: don't fire them twice.
    caughtUp = false
    try {
      await journal.append(
        'ticks',
        partition,
        due.map((timer) => timer.tick(at)),
      )
    } catch {
      // Not appended, or not known to be: the next round asks the state again.
      caughtUp = true
    } finally {
      appending = false
    }
  }
  const interval = setInterval(fire, TIMER_RESOLUTION_MS)
  interval.unref()
  const arm = (value: boolean): void => {
    caughtUp = value
  }
  return { arm, stop: () => clearInterval(interval) }
}
