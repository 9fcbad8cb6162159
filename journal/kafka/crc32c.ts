/** CRC-32C (Castagnoli, RFC 3720 B.4), eight bytes a step; node:zlib has only the other polynomial. */
const POLYNOMIAL = 0x82f63b78
const SLICES = 8

/** `tables[s][b]`: what byte b does to the checksum from s bytes further ahead. */
const tables: readonly Int32Array[] = makeTables()

function makeTables(): Int32Array[] {
  const first = Int32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1
    return crc
  })
  const made = [first]
  for (let slice = 1; slice < SLICES; slice++) {
    const before = made[slice - 1] as Int32Array
    made.push(before.map((crc) => (crc >>> 8) ^ (first[crc & 0xff] as number)))
  }
  return made
}

const [t0, t1, t2, t3, t4, t5, t6, t7] = tables as [
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
]

/** Of the bytes from `start` to `end`, as an unsigned number. */
export function crc32c(bytes: Uint8Array, start = 0, end = bytes.length): number {
  const b = bytes as unknown as number[]
  let crc = -1
  let at = start
  for (; at + 8 <= end; at += 8) {
    const low = crc ^ (b[at]! | (b[at + 1]! << 8) | (b[at + 2]! << 16) | (b[at + 3]! << 24))
    crc =
      t7[low & 0xff]! ^
      t6[(low >>> 8) & 0xff]! ^
      t5[(low >>> 16) & 0xff]! ^
      t4[low >>> 24]! ^
      t3[b[at + 4]!]! ^
      t2[b[at + 5]!]! ^
      t1[b[at + 6]!]! ^
      t0[b[at + 7]!]!
  }
  for (; at < end; at++) crc = (crc >>> 8) ^ t0[(crc ^ b[at]!) & 0xff]!
  return ~crc >>> 0
}
