import { cancelTimer, type Time } from '../base/time.ts'
import type { Topic } from '../contracts/topics.ts'
import type { Draft, TypedJournal } from '../journal/typed.ts'
import type { Processor } from './processor.ts'

const EVERY_MS = 100

type TimerOptions = {
  readonly journal: TypedJournal
  readonly partition: number
  readonly signal: AbortSignal
  readonly time: Time
  /** Called with the error of an append that failed. No timer fires after it. */
  readonly failed: (error: unknown) => void
}

/** Appends due timers while the processor is caught up. Each is read back as input, and the processor decides on it then. */
export function startTimers<I extends Topic, S>(
  processor: Processor<I, S>,
  state: S,
  { journal, partition, signal, time, failed }: TimerOptions,
) {
  let caughtUp = false
  let appending = false
  const fire = async () => {
    if (!caughtUp || appending || signal.aborted) return
    const at = time.now()
    const due = [...(processor.timers?.(state, at) ?? [])].filter((timer) => timer.dueAt <= at)
    if (due.length === 0) return
    appending = true
    // The state shows these timers as due until they are read back. Firing again would be
    // harmless, because deciders ignore a timer that is over, but would waste records.
    caughtUp = false
    const byTopic = Map.groupBy(
      due.map((timer) => timer.tick(at)),
      ({ topic }) => topic,
    )
    for (const [topic, outputs] of byTopic) {
      // A cast, because TypeScript does not tie a draft to the topic of its group.
      await journal.append(topic, partition, outputs.map(({ draft }) => draft) as Draft<typeof topic>[])
    }
    appending = false
  }
  const interval = time.every(processor.timersEveryMs ?? EVERY_MS, () => void fire().catch(failed))
  interval.unref()
  const arm = (value: boolean): void => {
    caughtUp = value
  }
  return { arm, stop: () => cancelTimer(interval) }
}
