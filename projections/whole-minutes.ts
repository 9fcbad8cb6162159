import { partitionsOf } from '../contracts/topics.ts'
import { BELIEVED_AHEAD_MS } from '../domain/decide-quote.ts'
import type { TypedJournal } from '../journal/typed.ts'

/** Age up to which no tick has expired in its table; the same as in `ticks.kept`. */
const TICKS_KEPT_MS = 59 * 86_400_000

/** Returns the first minute, in UTC milliseconds, whose ticks can't have expired in their table. */
export const firstWholeMinute = (now: number): number => wholeMinuteAfter(now - TICKS_KEPT_MS)

/**
 * Returns the first minute, in UTC milliseconds, of which every tick was appended after `at`. That may be earlier than the time
 * of its price, but by `BELIEVED_AHEAD_MS` at most.
 */
const wholeMinuteAfter = (at: number): number => Math.ceil((at + BELIEVED_AHEAD_MS) / 60_000) * 60_000

/**
 * Returns for each partition the first minute, in UTC milliseconds, from which on candles can be made anew: all of its ticks are
 * in the journal, so the table of ticks has them or gets them by a rebuild. Of older ones the table may lack some, and
 * nothing would tell. Throws errors of the journal.
 */
export const firstWholeMinutes = (
  journal: Pick<TypedJournal, 'bounds' | 'readToEnd'>,
  now: number,
): Promise<readonly number[]> =>
  Promise.all(
    partitionsOf('ticks').map(async (partition) => {
      const { start } = await journal.bounds('ticks', partition)
      if (start === 0) return firstWholeMinute(now)
      for await (const { records } of journal.readToEnd('ticks', partition)) {
        const [first] = records
        if (first) return Math.max(firstWholeMinute(now), wholeMinuteAfter(first.timestamp))
      }
      return Number.MAX_SAFE_INTEGER
    }),
  )
