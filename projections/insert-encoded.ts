import { Readable } from 'node:stream'
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client'
import { asFailure, maxBlockRows } from './clickhouse.ts'

/**
 * `insertBlock` for rows that are JSON already: the projector encodes them as it reads, in small steps, instead of
 * holding up the process for a whole block, and what it holds meanwhile costs the garbage collector nothing.
 *
 * `body` is the block in JSONCompactEachRow, in any number of pieces. The same promise as `insertBlock`: one block, one
 * part, wholly or not at all; a token that the table has seen is dropped. Throws ClickHouseFailure.
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
      clickhouse_settings: { ...oneBlock, insert_deduplication_token: token },
    })
    stream.resume()
  } catch (error) {
    throw asFailure(error)
  }
}

const quoted = (name: string): string => `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``

const oneBlock: ClickHouseSettings = {
  async_insert: 0,
  wait_end_of_query: 1,
  input_format_parallel_parsing: 0,
  input_format_null_as_default: 0,
  max_insert_threads: '1',
  max_insert_block_size: String(maxBlockRows),
  min_insert_block_size_rows: String(maxBlockRows),
  min_insert_block_size_bytes: '0',
  max_partitions_per_insert_block: '1',
  throw_on_max_partitions_per_insert_block: 1,
}
