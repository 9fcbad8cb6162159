import type { CandleInterval } from '../../../contracts/candles.ts'
import { evenInterval } from '../../../domain/candle-interval.ts'

/** SQL for the number of the interval of a minute, as `intervalNumber` computes it. */
function numberOf(interval: CandleInterval): string {
  const same = evenInterval(interval)
  if (!same) return 'toInt64(toYear(minute)) * 12 + toMonth(minute) - 1'
  const since = `(toUnixTimestamp64Milli(minute) - ${same.origin})`
  return `intDiv(${since} - positiveModulo(${since}, ${same.width}), ${same.width})`
}

/** SQL for the rank of a source, the best one first. */
export const RANK = 'indexOf({sources:Array(String)}, source)'

/** SQL for the minutes of the symbols in the parameter `symbols`, each with the number of its interval. */
export const minutesOf = (interval: CandleInterval, symbols: string) => `
  SELECT *, ${numberOf(interval)} AS number
  FROM candles FINAL
  WHERE symbol IN {${symbols}:Array(String)} AND source IN {sources:Array(String)}
    AND minute >= fromUnixTimestamp64Milli({first:Int64}, 'UTC') AND minute < fromUnixTimestamp64Milli({end:Int64}, 'UTC')`
