import { setTimeout as sleep } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import type { Block } from './block.ts'
import { ClickHouseFailure } from './clickhouse.ts'
import { insertEncoded } from './insert-encoded.ts'
import { readWatermark } from './table.ts'

/** The table isn't where this projector left it: start again from what it has. */
export class TableMoved extends Error {
  override readonly name = 'TableMoved'
}

export type BlockTarget = {
  readonly client: ClickHouseClient
  readonly table: string
  readonly columns: readonly string[]
  /** Names this run of the projector; a token must never be used by two, or a loss could become a lasting one. */
  readonly run: string
}

const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 5_000

/**
 * Gets a block into the table, once, however often it takes. After a failure the table's watermark says what is true:
 * at the block's end, it landed; still before it, the same rows go out again under the same token (should the first
 * attempt still be under way, one of the two is dropped); anywhere else, TableMoved is thrown.
 * Throws ClickHouseFailure `rejected`, and the signal's reason when it aborts between two attempts.
 */
export async function writeBlock(
  { client, table, columns, run }: BlockTarget,
  { partition, after, through, body }: Block,
  signal: AbortSignal,
  onRetry?: (error: unknown) => void,
): Promise<void> {
  const token = `${run}:${partition}:${after}-${through}`
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      if (pause > FIRST_PAUSE_MS) {
        const watermark = await readWatermark(client, table, partition)
        if (watermark === through) return
        if (watermark !== after) throw new TableMoved(`${table} is at ${watermark}, not at ${after} or ${through}`)
      }
      await insertEncoded(client, table, columns, body, token)
      return
    } catch (error) {
      if (!(error instanceof ClickHouseFailure) || error.kind === 'rejected') throw error
      onRetry?.(error)
      await sleep(pause, undefined, { signal })
    }
  }
}
