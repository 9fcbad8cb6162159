import { describe, expect, it } from 'vitest'
import { textOf } from '../../../ingest/read/text.ts'
import { documentOf } from '../../../ingest/source.ts'

const bytes = (text: string, encoding: BufferEncoding = 'utf8') => ({
  bytes: new Uint8Array(Buffer.from(text, encoding)),
})

describe('a document', () => {
  it('carries the SHA-256 of its bytes', () => {
    const origin = {
      source: 'S',
      dataset: 'D',
      publisher: 'P',
      licence: 'L',
      url: 'file:x',
      retrievedAt: '2026-11-21T00:00:00.000Z',
    }
    expect(documentOf(bytes('abc').bytes, origin)).toEqual({
      ...origin,
      ...bytes('abc'),
      sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    })
  })

  it('has a text, without a byte order mark', () => {
    expect(textOf(bytes('\ufeffé,1\n'))).toBe('é,1\n')
  })

  it.each([
    ['Latin-1', bytes('a\nb\né\n', 'latin1'), 'wrong_encoding', 'line 3'],
    ['a cut character', { bytes: bytes('€').bytes.subarray(0, 2) }, 'wrong_encoding', 'line 1'],
    ['UTF-16 with its mark', bytes('\ufeffa,b\n', 'utf16le'), 'wrong_encoding', 'line 1'],
    ['UTF-16 without', bytes('a,b\n', 'utf16le'), 'wrong_encoding', 'line 1'],
    [
      'a character that the pieces cut, with Latin-1 far behind it',
      { bytes: Buffer.concat([Buffer.from(`${'x'.repeat(2 ** 20 - 1)}€\n`), Buffer.from('é\n', 'latin1')]) },
      'wrong_encoding',
      'line 2',
    ],
    ['NUL', bytes('a\nb\0\n'), 'wrong_encoding', 'line 2'],
    ['nothing', bytes(''), 'empty', ''],
    ['blanks', bytes('\ufeff \n'), 'empty', ''],
  ])('has no text if it is %s', (_, document, reason, location) => {
    expect(() => textOf(document)).toThrow(expect.objectContaining({ name: 'DocumentError', reason, location }))
  })
})
