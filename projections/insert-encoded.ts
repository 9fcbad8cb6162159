import { Readable } from 'node:stream'
import type { ClickHouseClient } from '@clickhouse/client'
import { asFailure, oneBlock } from './clickhouse.ts'

/**
 * Inserts a block of rows that are JSON already. The projector encodes rows while it reads, in small steps, because
 * encoding a whole block would block the event loop. Encoded rows also cost the garbage collector nothing.
 *
 * `body` is the block in JSONCompactEachRow, in any number of pieces. It becomes one block and one part, stored
 * completely or not at all, whatever is killed. The engine refuses rows that fall into several ClickHouse partitions.
 *
 * ClickHouse drops a block, with success, if the table has seen its `token` (within the table's
 * `non_replicated_deduplication_window`). It does so **whatever the rows are, and even if those of the first block are
 * missing**: a server notes the token before the rows are in place, and may be killed in between. So success proves that
 * the rows are there only if the token was never sent before; `writeBlock` handles all other cases.
 *
 * ClickHouse also changes values silently: decimals lose the digits that their column has no room for, and null becomes
 * 0 in a column of numbers that isn't Nullable. Throws ClickHouseFailure.
 */
export async function insertEncoded(
  client: ClickHouseClient,
  table: string,
  columns: readonly string[],
  body: readonly Uint8Array[],
  token: string,
): Promise<void> {
  try {
    const { stream } = await client.exec({
      query: `INSERT INTO ${quoted(table)} (${columns.map(quoted).join(', ')}) FORMAT JSONCompactEachRow`,
      values: Readable.from(body, { objectMode: false }),
      clickhouse_settings: { ...oneBlock, wait_end_of_query: 1, insert_deduplication_token: token },
    })
    stream.resume()
  } catch (error) {
    throw asFailure(error)
  }
}

const quoted = (name: string): string => `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``
