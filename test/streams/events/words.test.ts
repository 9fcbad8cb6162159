import { describe, expect, it } from 'vitest'
import { copyPlain, isText, wordTextOf } from '../../../streams/events/words.ts'

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
const LENGTHS = [0, 1, 2, 3, 4, 5, 7, 8, 11]

describe('texts four bytes at a time', () => {
  it('are plain unless a byte needs an escape in JSON or is no ASCII, wherever it stands', () => {
    for (const length of LENGTHS)
      for (let place = 0; place < length; place++)
        for (let byte = 0; byte < 256; byte++)
          for (const around of [0x20, 0x7e, 0x61]) {
            const source = new Uint8Array(length + 2).fill(around)
            source[place + 1] = byte
            const target = new Uint8Array(length + 2)
            const isPlain = copyPlain(viewOf(source), 1, length + 1, viewOf(target), 1)
            const text = String.fromCharCode(byte)
            if (isPlain !== (byte < 0x7f && JSON.stringify(text) === `"${text}"`))
              throw new Error(`byte ${byte} at ${place} of ${length}: ${isPlain}`)
            if (isPlain) expect(target.subarray(1, -1)).toEqual(source.subarray(1, -1))
            expect([target[0], target[length + 1]]).toEqual([0, 0])
          }
  })

  it('are equal only if each byte is', () => {
    for (const length of LENGTHS) {
      const bytes = Buffer.from(Array.from({ length }, (_, i) => 200 + i))
      const text = wordTextOf(bytes)
      expect(isText(text, viewOf(bytes), 0, length)).toBe(true)
      expect(isText(text, viewOf(Buffer.concat([bytes, bytes])), 0, length + 1)).toBe(false)
      for (let place = 0; place < length; place++) {
        const other = Buffer.from(bytes)
        other[place] = 7
        expect(isText(text, viewOf(other), 0, length)).toBe(false)
      }
    }
  })
})
