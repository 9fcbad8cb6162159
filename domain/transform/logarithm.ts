import { roundedQuotient } from '../decimal.ts'

/** Decimals with which a logarithm is computed first, beyond those that are wanted. */
const GUARD_DIGITS = 12
/**
 * More than the computation is off by, in units of its last decimal. Each division loses less than one. A series has some
 * hundred terms, and decimals of 64 characters are at most some 400 powers of two apart.
 */
const MOST_ERROR = 1_000_000n

/**
 * `factor` times the natural logarithm of `top / bottom`, to a number of significant digits, half even. All are above zero.
 * The logarithm of a fraction other than 1 is irrational, so it is never halfway between two decimals: if the guard digits do
 * not tell to which side it rounds, more of them do.
 */
export function logarithmOfQuotient(top: bigint, bottom: bigint, factor: bigint, digits: number): string {
  if (top === bottom) return '0'
  for (let guard = GUARD_DIGITS; ; guard *= 2) {
    const scale = 10n ** BigInt(digits + guard + leadingZeros(top, bottom))
    const log = logarithm(top, bottom, scale)
    const [low, high] = [log - MOST_ERROR, log + MOST_ERROR].map((bound) =>
      roundedQuotient(bound * factor, scale, digits),
    )
    if (low !== undefined && low === high) return low
  }
}

/** Zeros that the logarithm of a quotient near 1 has behind its point, at least: they hold no significant digit. */
const leadingZeros = (top: bigint, bottom: bigint): number => {
  const difference = top > bottom ? top - bottom : bottom - top
  return Math.max(0, String(bottom).length - String(difference).length + 1)
}

/** ln(top / bottom) in units of 1 / scale. */
function logarithm(top: bigint, bottom: bigint, scale: bigint): bigint {
  // Divided by a power of two, the quotient is between 2/3 and 4/3, where the series converges fast.
  let twos = top.toString(2).length - bottom.toString(2).length
  let [over, under] = twos >= 0 ? [top, bottom << BigInt(twos)] : [top << BigInt(-twos), bottom]
  if (3n * over > 4n * under) {
    under *= 2n
    twos++
  } else if (3n * over < 2n * under) {
    over *= 2n
    twos--
  }
  return twiceArtanh(over - under, over + under, scale) + BigInt(twos) * twiceArtanh(1n, 3n, scale)
}

/** 2 artanh(z) = 2 (z + z³/3 + z⁵/5 + …) of z = top / bottom, in units of 1 / scale. It is the logarithm of (1 + z) / (1 − z). */
function twiceArtanh(top: bigint, bottom: bigint, scale: bigint): bigint {
  const z = (top * scale) / bottom
  const square = (z * z) / scale
  let sum = 0n
  let power = z
  for (let n = 1n; power !== 0n; n += 2n) {
    sum += power / n
    power = (power * square) / scale
  }
  return 2n * sum
}
