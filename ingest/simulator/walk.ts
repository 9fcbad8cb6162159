import { crc32 } from 'node:zlib'
import { canonicalDecimal } from '../../domain/decimal.ts'

/** A price on its way: in units of its last decimal place, so that every step is whole numbers. */
export type Walk = {
  readonly symbol: string
  readonly decimals: number
  /** What the price comes back to, in units. */
  readonly anchor: number
  /** How far from it the price is now, in units. */
  offset: number
  readonly draw: () => number
}

/** Farthest from its anchor, as a share of it. */
const BAND = 0.01
/** A step's usual size, as a share of the anchor. */
const STEP = 4e-5
/** Share of the distance from the anchor that a step goes back. */
const PULL = 1e-3
/** Fewer units than this can't show a price well, nor its steps. */
const LEAST_UNITS = 1_000

/**
 * A walk that starts at `known`, the newest real price, in the decimals of `level`; or at `level` itself if there is no
 * real price or these decimals can't show it. The same seed, symbol and start give the same prices.
 */
export function walkFrom(symbol: string, level: string, known: string | undefined, seed: number): Walk {
  const decimals = level.split('.')[1]?.length ?? 0
  const real = known === undefined ? 0 : unitsOf(known, decimals)
  const isUsable = real >= LEAST_UNITS && Number.isSafeInteger(real)
  const anchor = isUsable ? real : unitsOf(level, decimals)
  return { symbol, decimals, anchor, offset: 0, draw: generator(crc32(`${seed} ${symbol}`)) }
}

/** The price now, with all its decimals. */
export function priceOf({ anchor, offset, decimals }: Walk): string {
  const digits = String(anchor + offset).padStart(decimals + 1, '0')
  const point = digits.length - decimals
  return decimals === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`
}

/** Goes one step: always to another price, never out of the band. */
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

/** Numbers in [0, 1) from a seed (mulberry32). */
function generator(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
