import { crc32 } from 'node:zlib'
import { canonicalDecimal } from '../../domain/decimal.ts'

/** State of a random walk of a price, in units of its last decimal place, so that every step is a whole number. */
export type Walk = {
  readonly symbol: string
  readonly decimals: number
  /** Price that the walk returns to, in units. */
  readonly anchor: number
  /** Current distance from the anchor, in units. */
  offset: number
  readonly draw: () => number
}

/** Greatest distance from the anchor, as a share of it. */
const BAND = 0.01
/** Usual size of a step, as a share of the anchor. */
const STEP = 4e-5
/** Share of the distance that each step returns towards the anchor. */
const PULL = 1e-3
/** Fewest units of a price. With fewer, its decimals could not show the steps. */
const LEAST_UNITS = 1_000

/**
 * Returns a walk that starts at `known`, the newest real price, in the decimals of `level`. Starts at `level` itself if
 * there is no real price, or if these decimals can't show it. The same seed, symbol and start give the same prices.
 */
export function walkFrom(symbol: string, level: string, known: string | undefined, seed: number): Walk {
  const decimals = level.split('.')[1]?.length ?? 0
  const real = known === undefined ? 0 : unitsOf(known, decimals)
  const isUsable = real >= LEAST_UNITS && Number.isSafeInteger(real)
  const anchor = isUsable ? real : unitsOf(level, decimals)
  return { symbol, decimals, anchor, offset: 0, draw: generator(crc32(`${seed} ${symbol}`)) }
}

/** Returns the current price with all its decimals. */
export function priceOf({ anchor, offset, decimals }: Walk): string {
  const digits = String(anchor + offset).padStart(decimals + 1, '0')
  const point = digits.length - decimals
  return decimals === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`
}

/** Makes one step: always to another price, never out of the band. */
export function advance(walk: Walk): void {
  const { anchor, offset, draw } = walk
  // The sum of three draws is bell-shaped enough; its deviation is one half.
  const shock = (draw() + draw() + draw() - 1.5) * 2 * Math.max(1, anchor * STEP)
  const band = Math.floor(anchor * BAND)
  const next = Math.min(band, Math.max(-band, Math.round(offset + shock - offset * PULL)))
  walk.offset = next === offset ? offset + (offset > 0 ? -1 : 1) : next
}

function unitsOf(price: string, decimals: number): number {
  const [whole = '', fraction = ''] = canonicalDecimal(price, { decimals }).split('.')
  return Number(`${whole}${fraction.padEnd(decimals, '0')}`)
}

/** Returns a generator of numbers in [0, 1) from a seed (mulberry32). */
function generator(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
