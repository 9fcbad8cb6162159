import { isUtf8 } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Compile } from '#typebox'
import { EventMessage } from '../../../contracts/frames.ts'
import type { Generation } from '../../../contracts/generations.ts'
import type { EventRecord } from '../../../contracts/records.ts'
import { decodeEventCursor, encodeEventCursor } from '../../../domain/cursor.ts'
import { Lineage } from '../../../domain/lineage.ts'
import { servedEvent } from '../../../domain/served-event.ts'
import { runOf } from '../../../journal/journal.ts'
import type { EncodedEvent } from '../../../streams/events/encoded-event.ts'
import { cursorOf } from '../../../streams/events/encoded-event.ts'
import { EventEncoder } from '../../../streams/events/encoder.ts'
import { eventNumber } from '../../support/journal-records.ts'
import { firstGeneration } from '../../support/lineage.ts'
import { eventCodec } from './support/journal.ts'

/** How often an encoder had to make a value of a record. */
let decoded = 0
const decode = (value: Uint8Array) => eventCodec.decode(value) as EventRecord
const encoderOf = (id: string, generations: readonly Generation[] = []) =>
  new EventEncoder({
    id,
    generations,
    decode(_topic, value) {
      decoded++
      return decode(value) as never
    },
  })
const encoder = encoderOf('TEST')
/** The log entry of one record. */
function entryAlone(by: EventEncoder, offset: number, value: Uint8Array): EncodedEvent {
  const entries: EncodedEvent[] = []
  by.eventsOf(runOf([{ offset, value }]), entries)
  return entries[0] as EncodedEvent
}
const entryOf = (record: EventRecord, offset = 41, by = encoder) => {
  const { frame, ...entry } = entryAlone(by, offset, eventCodec.encode(record))
  return { ...entry, frame: Buffer.from(frame).toString() }
}
/** What `entryOf` should answer. */
const expected = (record: EventRecord, offset = 41, journal = 'TEST') => {
  const { sequence, family, country, type } = record
  const cursor = encodeEventCursor({ journal, sequence: sequence + 1, hint: offset + 1 })
  const frame = JSON.stringify({ type: 'event', event: { ...servedEvent(record, firstGeneration(journal)), cursor } })
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
    const subjects = ['"', '\\', '\n', 'Å', '\u007f']
    // Each subject twice: the first event of a shape, which lengths are a part of, is decoded anyway.
    for (const subject of [...subjects, ...subjects]) {
      const record = { ...eventNumber(3), subject }
      expect(entryOf(record, 1, by)).toEqual(expected(record, 1))
    }
    expect(decoded).toBe(12)
  })

  it('names the generation of each place in its cursor', () => {
    const generation = (id: string, event: number) => ({ id, branch: { event, ends: {} } })
    const generations = [generation('none-kept', 0), generation('b', 11), generation('a-longer-id', 21)]
    const by = encoderOf('TEST', generations)
    const lineage = new Lineage({ id: 'TEST', generations })
    const cursors = [9, 10, 11, 19, 20, 21, 99].map((sequence) => {
      const record = { ...eventNumber(sequence), sequence }
      const cursor = cursorOf(lineage, { sequence: sequence + 1, hint: 8 })
      const event = { ...servedEvent(record, lineage), cursor }
      expect(entryOf(record, 7, by).frame).toBe(JSON.stringify({ type: 'event', event }))
      return decodeEventCursor(cursor)?.journal
    })
    const names = ['TEST/none-kept', 'TEST/b', 'TEST/a-longer-id']
    expect(cursors).toEqual([0, 0, 1, 1, 1, 2, 2].map((at) => names[at]).with(1, 'TEST/none-kept'))
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
    const entries = records.map((record, offset) => entryAlone(encoder, offset, eventCodec.encode(record)))
    entries.forEach(({ frame }, n) => {
      expect(Buffer.from(frame).toString()).toBe(expected(records[n] as EventRecord, n).frame)
    })
  })

  it('is the same in a run of records as for each alone', () => {
    const sizes = Array.from({ length: 400 }, (_, n) => (n % 50 === 49 ? 70_000 : (n * 37) % 900))
    const values = sizes.map((size, n) =>
      Buffer.from(eventCodec.encode({ ...eventNumber(n), data: JSON.stringify({ text: 'ÿx'.repeat(size) }) })),
    )
    // A writer has put bytes into two of them that are not UTF-8.
    for (const n of [7, 300]) values[n]?.write('\xff\xfe', values[n].indexOf('{"text') + 2, 'latin1')
    const run = runOf(values.map((value, n) => ({ offset: 3 * n, value })))
    const { offsets, from, to } = run
    const by = encoderOf('TEST')
    const entries: EncodedEvent[] = []
    by.eventsOf({ ...run, offsets: offsets.slice(0, 100) }, entries)
    by.eventsOf({ ...run, offsets: offsets.slice(100), from: from.slice(100), to: to.slice(100) }, entries)
    const alone = values.map((value, n) => entryAlone(encoderOf('TEST'), 3 * n, value))
    const plain = (all: readonly EncodedEvent[]) =>
      all.map(({ frame, ...entry }) => ({ ...entry, frame: Buffer.from(frame).toString('latin1') }))
    expect(plain(entries)).toEqual(plain(alone))
    for (const { frame } of entries) expect(isUtf8(frame)).toBe(true)
    expect(by.sequencesIn(run)).toEqual(alone.map(({ sequence, offset }) => ({ sequence, offset })))
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
      expect(() => entryAlone(encoder, 1, value.subarray(0, length)), `of ${length} bytes`).toThrow()
    }
    expect(() => entryAlone(encoder, 1, Buffer.concat([value, value]))).toThrow('does not decode')
  })

  it('is UTF-8, also where a frame that had to be decoded has filled a buffer', () => {
    const values = [1, 2, 3].map((n) =>
      Buffer.from(eventCodec.encode({ ...eventNumber(n), data: JSON.stringify({ text: 'x'.repeat(40_000) }) })),
    )
    for (const value of values) value.set([0xff, 0xfe], value.indexOf('xxx'))
    const entries: EncodedEvent[] = []
    encoderOf('TEST').eventsOf(runOf(values.map((value, offset) => ({ offset, value }))), entries)
    expect(entries.map(({ frame }) => isUtf8(frame))).toEqual([true, true, true])
  })

  it('is UTF-8, whatever a writer has put in', () => {
    const value = Buffer.from(eventCodec.encode({ ...eventNumber(5), data: '{"a":"xxx"}' }))
    value.set([0xff, 0xfe], value.indexOf('xxx'))
    const { frame } = entryAlone(encoder, 1, value)
    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(frame)).not.toThrow()
  })
})
