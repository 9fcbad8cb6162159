import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { MessageObservation } from '../../../../ingest/read/formats/observation.ts'
import { DocumentError, type Reject } from '../../../../ingest/source.ts'
import { readAll, refusalOf } from './observations.ts'
import { samples } from './samples.ts'

const read = (bytes: Uint8Array): readonly (MessageObservation | Reject)[] | undefined => {
  try {
    return readAll(bytes)
  } catch (error) {
    if (error instanceof DocumentError) return undefined
    throw error
  }
}

/** All texts that an observation claims to have found. */
const claimed = (found: MessageObservation | Reject): string[] =>
  found.kind === 'reject'
    ? []
    : [...Object.values(found.codes), ...Object.values(found.attributes), found.period, found.value ?? ''].flatMap(
        (text) => text.split(';'),
      )

/** Text of a document with the entities of XML and the escapes of JSON replaced. */
const plain = (bytes: Uint8Array): string =>
  withSpaces(
    new TextDecoder()
      .decode(bytes)
      .replace(/&#x([0-9a-f]+);|\\u([0-9a-f]{4})/gi, (_, a, b) => String.fromCodePoint(Number.parseInt(a ?? b, 16))),
  )

/** XML reads a tab or a line end in an attribute as a space. */
const withSpaces = (text: string): string => text.replace(/[\t\r\n]/g, ' ')

describe.each(Object.entries(samples))('a damaged document: %s', (name, text) => {
  const bytes = new TextEncoder().encode(text)
  const whole = new Set(readAll(bytes).map((found) => JSON.stringify(found)))

  it('cut anywhere is refused, or is a table that was cut between two rows', () => {
    for (let length = 0; length < bytes.length; length++) {
      const cut = bytes.subarray(0, length)
      const found = read(cut)
      if (!found) continue
      const isTable = name.includes('CSV')
      expect(isTable ? cut.at(-1) : text.slice(length).trim(), `cut at ${length}`).toBe(isTable ? 0x0a : '')
      for (const one of found) expect(whole).toContain(JSON.stringify(one))
    }
  })

  it('with bytes changed gives nothing that is not in it', () => {
    const change = fc.record({ at: fc.nat(bytes.length - 1), to: fc.integer({ min: 0, max: 255 }) })
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        const damaged = Uint8Array.from(bytes)
        for (const { at, to } of changes) damaged[at] = to
        const source = plain(damaged)
        for (const found of read(damaged) ?? [])
          for (const claim of claimed(found)) expect(source).toContain(withSpaces(claim))
      }),
      { numRuns: 300 },
    )
  })

  it('in another encoding is refused, with its line', () => {
    const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le')
    expect(refusalOf(utf16)).toMatchObject({ reason: 'wrong_encoding', location: 'line 1' })
    const at = text.lastIndexOf('2024-02')
    const latin = Buffer.concat([Buffer.from(text.slice(0, at)), Buffer.from([0xe9]), Buffer.from(text.slice(at))])
    expect(refusalOf(latin)).toMatchObject({
      reason: 'wrong_encoding',
      location: `line ${text.slice(0, at).split('\n').length}`,
    })
    expect(refusalOf(text.replace('M', '\0'))?.reason).toBe('wrong_encoding')
  })
})

it('any text is refused or read, and never breaks a reader', () => {
  const heads = Object.values(samples).map((text) => text.slice(0, 200))
  fc.assert(
    fc.property(fc.constantFrom('', ...heads), fc.oneof(fc.string(), fc.json()), (head, rest) => {
      read(new TextEncoder().encode(head + rest))
    }),
    { numRuns: 1_000 },
  )
})
