import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { generateAddressKey, generateKey } from '../../access/key.ts'
import { hideKeys, hideKeysInPath } from '../../contracts/key-text.ts'

const keys = fc.oneof(
  fc.constantFrom('live' as const, 'test' as const).map((kind) => generateKey(kind, randomBytes)),
  fc.constant(0).map(() => generateAddressKey(randomBytes)),
)
/** What may stand beside a key in an address or a sentence. */
const around = fc.string({ unit: fc.constantFrom(...' /?&=:;,."\'%()') })

describe('a text that repeats what a client sent', () => {
  it('has no key, wherever one stood and how often', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(around, keys)), around, (parts, end) => {
        const shown = hideKeys(parts.map(([before, key]) => `${before}&api_key=${key}`).join('') + end)
        expect(shown).toBe(parts.map(([before]) => `${before}&api_key=[key]`).join('') + end)
      }),
    )
  })

  it('has no key that was cut, mistyped or written in capitals either', () => {
    const key = generateKey('live', randomBytes)
    const short = generateAddressKey(randomBytes)
    for (const wrong of [key.slice(0, -4), `${key}x`, key.toUpperCase(), `${short}x`, short.toUpperCase()])
      expect(hideKeys(`"${wrong}"`), wrong).toBe('"[key]"')
  })

  it('keeps everything else', () => {
    for (const text of [
      'almanac',
      'alm_live',
      'https://almanac.example/v1/almanac-of-2026',
      'key_01jz5q',
      'a'.repeat(40),
    ])
      expect(hideKeys(text)).toBe(text)
  })

  it('is a path without a key, however its characters are encoded', () => {
    fc.assert(
      fc.property(keys, fc.nat(31), (key, at) => {
        const code = `%${key.charCodeAt(at).toString(16)}`
        const path = `/v1/economics/${key.slice(0, at)}${code}${key.slice(at + 1)}/cpi`
        expect(hideKeysInPath(path)).toBe('/v1/economics/%5Bkey%5D/cpi')
      }),
    )
    expect(hideKeysInPath('/v1/caf%C3%A9/100%25')).toBe('/v1/caf%C3%A9/100%25')
    expect(hideKeysInPath('/v1/%zz')).toBe('/v1/%zz')
  })
})
