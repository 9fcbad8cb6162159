import { strToU8, type Zippable, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { readZip } from '../../../ingest/read/zip.ts'

const text = 'Date,USD\n'.repeat(50)
const contents = (bytes: Uint8Array, maxBytes?: number): Record<string, string> =>
  Object.fromEntries(readZip(bytes, maxBytes).map(({ name, read }) => [name, new TextDecoder().decode(read())]))
/** The archive with a number of its directory's first entry changed. */
const changed = (offset: number, value: number): Uint8Array => {
  const bytes = zipSync({ 'a.csv': strToU8(text) })
  const directory = Buffer.from(bytes).indexOf(Buffer.from([0x50, 0x4b, 1, 2]))
  bytes[directory + offset] = value
  return bytes
}

it('reads stored and deflated entries, and an archive with a comment', () => {
  const files: Zippable = { 'a.csv': strToU8(text), 'b/ü.txt': [strToU8('x'), { level: 0 }], empty: new Uint8Array() }
  const expected = { 'a.csv': text, 'b/ü.txt': 'x', empty: '' }
  expect(contents(zipSync(files))).toEqual(expected)
  const commented = Buffer.concat([zipSync(files), strToU8('comment')])
  commented[commented.length - 9] = 7
  expect(contents(commented)).toEqual(expected)
})

describe('refuses', () => {
  it.each([
    ['no zip', strToU8('PK?'), 'malformed_zip'],
    ['bytes behind the end', Buffer.concat([zipSync({ a: strToU8(text) }), strToU8('x')]), 'malformed_zip'],
    ['an encrypted entry', changed(8, 1), 'malformed_zip'],
    ['another method', changed(10, 12), 'malformed_zip'],
    ['another checksum', changed(16, 0), 'malformed_zip'],
    ['more bytes than declared', changed(24, 10), 'malformed_zip'],
  ])('%s', (_, bytes, reason) => {
    expect(() => contents(bytes)).toThrow(expect.objectContaining({ reason }))
  })

  it('more than the cap in all', () => {
    const bytes = zipSync({ a: strToU8(text), b: strToU8(text) })
    expect(Object.keys(contents(bytes, text.length * 2))).toEqual(['a', 'b'])
    expect(() => readZip(bytes, text.length * 2 - 1)).toThrow(expect.objectContaining({ reason: 'too_large' }))
  })
})
