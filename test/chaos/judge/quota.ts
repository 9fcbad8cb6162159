export type Calls = {
  /** Answered with success, or a stream that was opened: each must be counted. */
  readonly granted: number
  /** Without an answer, or refused: may be counted or not. */
  readonly uncertain: number
}

/** Most calls that a killed process may have reserved and not granted: a thousandth of the Pro plan's month. */
const BLOCK = 1_000

/** Compares the calls that REST says were used with those made; each kill may cost a block of calls, and never gives one away. */
export function judgeQuota(used: number, { granted, uncertain }: Calls, kills: number): string[] {
  const most = granted + uncertain + kills * BLOCK
  if (used < granted) return [`quota: ${used} calls counted of ${granted} that were granted`]
  return used > most ? [`quota: ${used} calls counted, at most ${most} can have been`] : []
}
