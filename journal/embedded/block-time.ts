/** Number of offsets in a block. */
export const BLOCK = 4_096

/** Greatest time of the records in a block; null: it has none yet; undefined: not known, because a former release wrote it. */
export type BlockTime = number | null | undefined

export const blockOf = (offset: number): number => Math.floor(offset / BLOCK)

/** Reads what stands behind the bounds in their row, where former releases have nothing. */
export const blockTimeIn = ([stated]: readonly BlockTime[], end: number): BlockTime =>
  stated === undefined && end % BLOCK === 0 ? null : stated

/** The greatest time of a block after records were added whose greatest time is `time`; null if no record was added. */
export function greatestTime(known: BlockTime, time: number | null): BlockTime {
  if (known === undefined) return undefined
  if (known === null || time === null) return known ?? time
  return Math.max(known, time)
}
