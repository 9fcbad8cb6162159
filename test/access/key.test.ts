import { createHash, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { generateKey, hashKey, keyIdOf, kindOfKey } from '../../access/key.ts'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const kinds = fc.constantFrom('live' as const, 'test' as const)
/** A source of bytes that starts with the given ones. */
const drawing = (bytes: readonly number[]) => {
  let next = 0
  return (size: number) => Uint8Array.from({ length: size }, () => bytes[next++] ?? next % 248)
}
const keys = fc
  .tuple(kinds, fc.array(fc.nat(255), { maxLength: 60 }))
  .map(([kind, bytes]) => generateKey(kind, drawing(bytes)))

describe('an API key', () => {
  it('has its format, and tells its kind', () => {
    fc.assert(
      fc.property(kinds, fc.array(fc.nat(255), { maxLength: 60 }), (kind, bytes) => {
        const key = generateKey(kind, drawing(bytes))
        expect(key).toMatch(new RegExp(`^alm_${kind}_[0-9A-Za-z]{36}$`))
        expect(kindOfKey(key)).toBe(kind)
      }),
    )
  })

  it('ends in the CRC32 of what comes before, in six base62 digits', () => {
    // Computed with Python: zlib.crc32(b'alm_live_' + b'0' * 30) == 884545598.
    const key = generateKey('live', (size) => new Uint8Array(size))
    expect(key.slice(0, 39)).toBe(`alm_live_${'0'.repeat(30)}`)
    expect([...key.slice(39)].reduce((sum, digit) => sum * 62 + base62.indexOf(digit), 0)).toBe(884_545_598)
  })

  it('draws every character equally often: bytes beyond the last multiple of 62 are drawn again', () => {
    expect(generateKey('live', drawing([247, 255, 248, 5])).slice(9, 11)).toBe('z5')
    const seen = new Set(Array.from({ length: 200 }, () => generateKey('live', randomBytes).slice(9, 39)).join(''))
    expect(seen.size).toBe(62)
  })

  it('is told from one with a single wrong character, wherever it is', () => {
    fc.assert(
      fc.property(keys, fc.nat(44), fc.nat(61), (key, at, digit) => {
        const wrong = base62[digit] as string
        fc.pre(key[at] !== wrong)
        expect(kindOfKey(key.slice(0, at) + wrong + key.slice(at + 1))).toBeUndefined()
      }),
      { numRuns: 2_000 },
    )
  })

  it('is told from one with two neighbours swapped, one missing, or one too many', () => {
    fc.assert(
      fc.property(keys, fc.nat(43), (key, at) => {
        const swapped = key.slice(0, at) + key[at + 1] + key[at] + key.slice(at + 2)
        if (swapped !== key) expect(kindOfKey(swapped)).toBeUndefined()
        expect(kindOfKey(key.slice(0, at) + key.slice(at + 1))).toBeUndefined()
        expect(kindOfKey(`${key.slice(0, at)}A${key.slice(at)}`)).toBeUndefined()
      }),
    )
  })

  it('is not anything else', () => {
    const key = generateKey('live', randomBytes)
    for (const text of ['', ' ', `${key} `, `${key}\n`, key.toUpperCase(), key.replace('live', 'test'), `x${key}`]) {
      expect(kindOfKey(text), JSON.stringify(text)).toBeUndefined()
    }
  })

  it('is stored as its SHA-256, and named after that', () => {
    const key = generateKey('test', randomBytes)
    expect(hashKey(key)).toBe(createHash('sha256').update(key).digest('hex'))
    expect(keyIdOf(hashKey(key))).toMatch(/^key_[0-9A-HJKMNP-TV-Z]{26}$/)
    expect(keyIdOf(hashKey(key))).toBe(keyIdOf(hashKey(key)))
    expect(keyIdOf(hashKey(key))).not.toBe(keyIdOf(hashKey(generateKey('test', randomBytes))))
  })
})
