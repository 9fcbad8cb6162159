import type { ClickHouseClient } from '@clickhouse/client'
import { partitionsOf } from '../contracts/topics.ts'
import { BELIEVED_AHEAD_MS } from '../domain/decide-quote.ts'
import type { TypedJournal } from '../journal/typed.ts'
import { rowsOf } from './table.ts'

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
 * Returns for each partition the first minute, in UTC milliseconds, from which on the table has every tick: from which on candles
 * can be made of it. A table that was filled when the journal had deleted ticks already begins later than
 * `firstWholeMinute`. Throws ClickHouseFailure, and errors of the journal's `bounds`.
 */
export async function firstWholeMinutes(
  client: ClickHouseClient,
  journal: Pick<TypedJournal, 'bounds'>,
  now: number,
): Promise<readonly number[]> {
  const found = await rowsOf<{ _partition: number; offset: string; at: string }>(client, OLDEST, {})
  const oldest = new Map(found.map(({ _partition, offset, at }) => [_partition, { offset, at: Number(at) }]))
  return Promise.all(
    partitionsOf('ticks').map(async (partition) => {
      const { start } = await journal.bounds('ticks', partition)
      const first = oldest.get(partition)
      if (start === 0 || first?.offset === '0') return firstWholeMinute(now)
      return first ? Math.max(firstWholeMinute(now), wholeMinuteAfter(first.at)) : Number.MAX_SAFE_INTEGER
    }),
  )
}

const OLDEST = `
SELECT _partition, min(_offset) AS offset, argMin(toUnixTimestamp64Milli(appended_at), _offset) AS at
FROM ticks WHERE NOT _marker GROUP BY _partition`
