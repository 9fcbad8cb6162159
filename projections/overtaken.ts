import type { ClickHouseClient } from '@clickhouse/client'
import { ProjectionError } from './errors.ts'
import { readMark } from './migrate.ts'
import { rowsOf, uuidOf } from './table.ts'

/**
 * Notes what a table in use holds from an offset of each partition on, and returns a check that nobody has added to that since:
 * call it just before the table is exchanged. A process that was stopped for longer than its claim lives learns only some time
 * after it goes on that another one has written meanwhile.
 *
 * `from`: the offsets behind what the copy is certain to get. Rows that are there already may be of no record of this journal,
 * so they don't count. The check throws ProjectionError `overtaken` if there are more, or if another rebuild has exchanged the
 * table. Both throw ClickHouseFailure.
 */
export async function watchForOthers(
  client: ClickHouseClient,
  name: string,
  from: readonly number[],
): Promise<() => Promise<void>> {
  const params = { table: name, from: `[${from.join(',')}]` }
  const read = async () => ({
    generation: (await readMark(client, name))?.generation,
    rows: await rowsOf<Held>(client, HELD, params),
  })
  const noted = await read()
  return async () => {
    const now = await read()
    const hasGrown = now.rows.some(({ _partition, offsets, last }) => {
      const before = noted.rows.find((row) => row._partition === _partition)
      return BigInt(offsets) > BigInt(before?.offsets ?? 0) || BigInt(last) > BigInt(before?.last ?? -1)
    })
    if (!hasGrown && now.generation === noted.generation) return
    throw overtaken(name)
  }
}

/**
 * Checks that a copy is still the one of that UUID: call it just before it is put in place of the table in use. Otherwise another
 * rebuild has made the copy anew, and it may not be full yet. Throws ProjectionError `overtaken`.
 */
export async function assertOwnCopy(client: ClickHouseClient, copy: string, uuid: string | undefined): Promise<void> {
  if ((await uuidOf(client, copy)) !== uuid) throw overtaken(copy)
}

const overtaken = (table: string) =>
  new ProjectionError(
    'overtaken',
    `another process wrote to ${table} while this one stood still, so the tables were not exchanged; try again`,
  )

type Held = { readonly _partition: number; readonly offsets: string; readonly last: string }

/** Merges replace candles and their position, so there the number of offsets may shrink while the last one grows. */
const HELD = `
SELECT _partition, uniqExact(_offset) AS offsets, max(_offset) AS last
FROM {table:Identifier} WHERE _offset >= {from:Array(UInt64)}[_partition + 1] GROUP BY _partition`
