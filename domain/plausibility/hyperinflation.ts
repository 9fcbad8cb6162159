import type { Value } from './view.ts'

/** How near a factor is to 10, 100, 1000 …, if it shows another unit: the usual change comes on top of it. */
const POWER_TOLERANCE = 0.25
/** After a hyperinflation prices do not fall below this share of what they had risen to. */
const KEPT = 1 / 1.5

/**
 * Whether an index begins in a hyperinflation: it rises by any factor from its first value to its second. In January 1994, the
 * second month of Serbia's index, prices rose 2.4 million times. A factor of about 10, 100, 1000 … is another unit, one of about
 * 1 is no such rise, and a level that later values do not keep is a wrong value.
 */
export function beginsInHyperinflation([first, second, ...later]: readonly Value[]): boolean {
  if (!first || !second || second.value <= first.value) return false
  const factor = second.value / first.value
  const power = 10 ** Math.round(Math.log10(factor))
  if (Math.abs(factor / power - 1) < POWER_TOLERANCE) return false
  return later.every(({ value }) => value >= KEPT * second.value)
}
