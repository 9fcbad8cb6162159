import type { Time } from '../base/time.ts'
import type { Block } from './block.ts'
import { isAway } from './clickhouse.ts'
import type { ReadModel } from './read-model.ts'

/** The table's watermark is not where this projector left it, so it must start again from the table. */
export class TableMoved extends Error {
  override readonly name = 'TableMoved'
}

export type BlockTarget = {
  readonly readModel: ReadModel
  readonly table: string
  readonly columns: readonly string[]
  /** Id of this run of the projector. It is part of every token, so that no two runs share one. */
  readonly run: string
  readonly time: Time
}

const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 5_000

/**
 * Writes a block into the table exactly once, however many attempts it takes.
 *
 * The first attempt has a fresh token, which ClickHouse has no reason to drop, so its success is proof. After a failed
 * attempt only the table's watermark is proof. If it is at the block's end, the block has landed. If it is still before
 * the block, the same rows are sent again. Anywhere else: throws TableMoved.
 *
 * A retry keeps the token, so that an earlier attempt that is still on its way can't land as well. But ClickHouse notes
 * a token before it puts the rows in place, and a server that was killed in between drops every retry with success. If
 * the watermark has not moved after a successful retry, the token is spent. Late attempts with it are dropped too, so
 * the next attempt takes a new token.
 *
 * Throws ClickHouseFailure `rejected`, and the signal's reason when it aborts between two attempts.
 */
export async function writeBlock(
  { readModel, table, columns, run, time }: BlockTarget,
  { partition, after, through, body }: Block,
  signal: AbortSignal,
  onRetry?: (error: unknown) => void,
): Promise<void> {
  const tokenOf = (spent: number) => `${run}:${partition}:${after}-${through}:${spent}`
  const insert = (token: string) => readModel.insert(table, columns, body, token)
  const hasLanded = async (token: string): Promise<boolean> => {
    // An attempt that still runs could land right after the watermark is read, so this waits for its end.
    await readModel.awaitInsertOf(token, signal)
    const watermark = await readModel.watermark(table, partition, after)
    if (watermark !== through && watermark !== after) {
      throw new TableMoved(`the watermark of partition ${partition} of ${table} is neither ${after} nor ${through}`)
    }
    return watermark === through
  }

  let spent = 0
  let isRetry = false
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const token = tokenOf(spent)
    try {
      if (isRetry && (await hasLanded(token))) return
      await insert(token)
      if (!isRetry || (await hasLanded(token))) return
      spent++
      onRetry?.(new SpentToken(table, token))
    } catch (error) {
      if (!isAway(error)) throw error
      onRetry?.(error)
    }
    isRetry = true
    await time.after(pause, signal)
  }
}

/** A retry was answered with success, but its rows are not in the table. */
class SpentToken extends Error {
  override readonly name = 'SpentToken'

  constructor(table: string, token: string) {
    super(
      `ClickHouse dropped a block of ${table} whose rows are not there: an attempt that was cut short has used up its token ${token}. The block is sent again under a new one.`,
    )
  }
}
