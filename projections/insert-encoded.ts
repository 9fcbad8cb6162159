import { Readable } from 'node:stream'
import type { ClickHouseClient } from '@clickhouse/client'
import { asFailure, oneBlock } from './clickhouse.ts'

/**
 * `insertBlock` for rows that are JSON already: the projector encodes them as it reads, in small steps, instead of
 * holding up the process for a whole block, and what it holds meanwhile costs the garbage collector nothing.
 *
 * `body` is the block in JSONCompactEachRow, in any number of pieces. The same promise as `insertBlock`: one block, one
 * part, wholly or not at all. Success proves that the rows are there only if the token was never sent before; the caller
 * for all other cases is `writeBlock`. Throws ClickHouseFailure.
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
