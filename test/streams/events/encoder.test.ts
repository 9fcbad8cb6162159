import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { EventMessage } from '../../../contracts/frames.ts'
import type { EventRecord } from '../../../contracts/records.ts'
import { encodeEventCursor } from '../../../domain/cursor.ts'
import { servedEvent } from '../../../domain/served-event.ts'
import { EventEncoder } from '../../../streams/events/encoder.ts'
import { eventNumber } from '../../support/journal-records.ts'
import { eventCodec } from './support/journal.ts'

/** How often an encoder had to make a value of a record. */
let decoded = 0
const decode = (value: Uint8Array) => eventCodec.decode(value) as EventRecord
const encoderOf = (id: string) =>
  new EventEncoder({
    id,
    decode(_topic, value) {
      decoded++
      return decode(value) as never
    },
  })
const encoder = encoderOf('TEST')
const entryOf = (record: EventRecord, offset = 41, by = encoder) => {
  const { frame, ...entry } = by.entry({ offset, value: eventCodec.encode(record) })
  return { ...entry, frame: Buffer.from(frame).toString() }
}
/** What `entryOf` should answer. */
const expected = (record: EventRecord, offset = 41, journal = 'TEST') => {
  const { sequence, family, country, type } = record
  const cursor = encodeEventCursor({ journal, sequence: sequence + 1, hint: offset + 1 })
  const frame = JSON.stringify({ type: 'event', event: { ...servedEvent(record, journal), cursor } })
  return { sequence, offset, family, country, type, frame }
}
const count = fc.maxSafeInteger().map((n) => Math.min(Math.abs(n), Number.MAX_SAFE_INTEGER - 1))
/** Mostly such as stand in JSON as they are. */
const text = fc.oneof(
  { weight: 4, arbitrary: fc.stringMatching(/^[A-Za-z0-9/:_.-]{0,20}$/) },
  fc.string({ unit: 'binary' }),
)

describe('the frame of an event', () => {
  it('is the served event as JSON, byte for byte, whatever stands in it and came before it', () => {
    const tags = { type: text, family: text, source: text, dataschema: text }
    const members = fc.record({ ...tags, id: text, subject: text, time: text, country: fc.option(text) })
    fc.assert(
      fc.property(
        fc.array(fc.tuple(members, fc.dictionary(text, fc.jsonValue()), count, count), { minLength: 1, maxLength: 6 }),
        (events) => {
          for (const [some, data, sequence, offset] of events) {
            // As it comes out of Avro, which has no lone surrogates.
            const record = decode(eventCodec.encode({ ...some, sequence, data: JSON.stringify(data) }))
            for (let time = 0; time < 2; time++) expect(entryOf(record, offset)).toEqual(expected(record, offset))
          }
        },
      ),
    )
  })

  it('has a cursor as the others are, in any journal', () => {
    const journals = fc.string({ unit: 'grapheme', maxLength: 36 })
    fc.assert(
      fc.property(journals, fc.array(fc.tuple(count, count), { maxLength: 5 }), (journal, places) => {
        const by = encoderOf(journal)
        for (const [sequence, offset] of places) {
          const record = { ...eventNumber(1), sequence }
          expect(entryOf(record, offset, by)).toEqual(expected(record, offset, journal))
        }
      }),
    )
  })

  it('is made without decoding, but for the first of its kind and texts that JSON writes otherwise', () => {
    const events = Array.from({ length: 1_000 }, (_, n) => eventNumber(n))
    const by = encoderOf('TEST')
    decoded = 0
    for (const record of events) expect(entryOf(record, record.sequence, by)).toEqual(expected(record, record.sequence))
    expect(decoded).toBeLessThan(30)
    decoded = 0
    for (const subject of ['"', '\\', '\n', 'Å', '\u007f']) {
      const record = { ...eventNumber(3), subject }
      expect(entryOf(record, 1, by)).toEqual(expected(record, 1))
    }
    expect(decoded).toBe(5)
  })

  it('goes on with many kinds of events', () => {
    const by = encoderOf('TEST')
    for (let n = 0; n < 2_000; n++) {
      const record = { ...eventNumber(n), dataschema: `urn:${n % 700}` }
      expect(entryOf(record, n, by)).toEqual(expected(record, n))
    }
  })

  it('keeps frames apart, whatever their size', () => {
    const sizes = [1, 70_000, 300, 65_536, 2, ...Array.from({ length: 300 }, (_, n) => n * 7)]
    const records = sizes.map((size, n) => ({ ...eventNumber(n), data: JSON.stringify({ text: 'ÿ🜚x'.repeat(size) }) }))
    const entries = records.map((record, offset) => encoder.entry({ offset, value: eventCodec.encode(record) }))
    entries.forEach(({ frame }, n) => {
      expect(Buffer.from(frame).toString()).toBe(expected(records[n] as EventRecord, n).frame)
    })
  })

  it('fits its contract', () => {
    expect(Compile(EventMessage).Check(JSON.parse(entryOf(eventNumber(3)).frame))).toBe(true)
  })

  it.each(['[1]', '', '{', '1}'])('is not made of data that is no object: %j', (data) => {
    expect(() => entryOf({ ...eventNumber(0), data })).toThrow('no JSON object')
  })

  it('is not made of bytes that are no event', () => {
    const value = eventCodec.encode(eventNumber(5))
    for (let length = 5; length < value.length; length++) {
      expect(() => encoder.entry({ offset: 1, value: value.subarray(0, length) }), `of ${length} bytes`).toThrow()
    }
    expect(() => encoder.entry({ offset: 1, value: Buffer.concat([value, value]) })).toThrow('does not decode')
  })

  it('is UTF-8, whatever a writer has put in', () => {
    const value = Buffer.from(eventCodec.encode({ ...eventNumber(5), data: '{"a":"xxx"}' }))
    value.set([0xff, 0xfe], value.indexOf('xxx'))
    const { frame } = encoder.entry({ offset: 1, value })
    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(frame)).not.toThrow()
  })
})
