import type { ClickHouseClient } from '@clickhouse/client'
import { topics } from '../contracts/topics.ts'
import { Lineage } from '../domain/lineage.ts'
import type { TypedJournal } from '../journal/typed.ts'
import { lagBehind, readEnds, sumOfEnds } from './extent.ts'
import { readUserMarks } from './migrate.ts'
import { readWatermarks, unlessMissing } from './table.ts'

/**
 * Lag of a user's projection: offsets of its topic that its table does not cover yet, holes included. `position`: those that
 * it covers.
 */
export type UserLag = { readonly name: string; readonly lag: number; readonly position: number }

/**
 * Returns the lags of all users' projections of this journal, by name. They are computed from the positions that stand
 * with the rows, because the projections run in processes of their own, or not at all. Throws ClickHouseFailure, and
 * errors of the journal's `bounds`.
 */
export async function readUserLags(
  client: ClickHouseClient,
  journal: Pick<TypedJournal, 'id' | 'generations' | 'bounds'>,
): Promise<UserLag[]> {
  const lineage = new Lineage(journal)
  const marks = await readUserMarks(client)
  const lags = [...marks].map(async ([name, mark]) => {
    // A newer release may know more topics.
    if (lineage.faultOf(mark.journal) || mark.topic === undefined || !Object.hasOwn(topics, mark.topic)) return []
    const ends = await readEnds(journal, mark.topic)
    // A table that was dropped meanwhile has no lag.
    const watermarks = await unlessMissing(readWatermarks(client, name), undefined)
    if (!watermarks) return []
    const lag = lagBehind(ends, (partition) => (watermarks.get(partition) ?? -1) + 1)
    return [{ name, lag, position: sumOfEnds(ends) - lag }]
  })
  return (await Promise.all(lags)).flat()
}
