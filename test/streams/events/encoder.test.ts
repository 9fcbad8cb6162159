import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { EventMessage } from '../../../contracts/frames.ts'
import { decodeEventCursor, encodeEventCursor } from '../../../domain/cursor.ts'
import { servedEvent } from '../../../domain/served-event.ts'
import { EventEncoder } from '../../../streams/events/encoder.ts'
import { eventNumber } from '../../support/journal-records.ts'

const encoder = new EventEncoder('TEST')
const text = fc.string({ unit: 'binary' })

describe('the frame of an event', () => {
  it('is the served event as JSON, byte for byte, whatever stands in it', () => {
    fc.assert(
      fc.property(
        fc.dictionary(text, fc.jsonValue()),
        fc.record({ id: text, subject: text, family: text, country: fc.option(text) }),
        fc.maxSafeInteger().filter((n) => n >= 1 && n < Number.MAX_SAFE_INTEGER),
        (data, members, sequence) => {
          const record = { ...eventNumber(0), ...members, sequence, data: JSON.stringify(data) }
          const message = encoder.message(record, 41)
          const { cursor } = JSON.parse(message).event
          expect(message).toBe(JSON.stringify({ type: 'event', event: { ...servedEvent(record, 'TEST'), cursor } }))
          expect(decodeEventCursor(cursor)).toEqual({ journal: 'TEST', sequence: sequence + 1, hint: 42 })
        },
      ),
    )
  })

  it('has a cursor as the others are, for any place and journal', () => {
    const count = fc.maxSafeInteger().map(Math.abs)
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 36 }), count, count, (journal, sequence, hint) => {
        expect(new EventEncoder(journal).cursor(sequence, hint)).toBe(encodeEventCursor({ journal, sequence, hint }))
      }),
    )
  })

  it('keeps frames apart, whatever their size', () => {
    const sizes = [1, 70_000, 300, 65_536, 2, ...Array.from({ length: 300 }, (_, n) => n * 7)]
    const records = sizes.map((size, n) => ({ ...eventNumber(n), data: JSON.stringify({ text: 'ÿ🜚x'.repeat(size) }) }))
    const frames = records.map((value, offset) => encoder.entry({ offset, value }).frame)
    frames.forEach((frame, n) => {
      expect(JSON.parse(Buffer.from(frame).toString()).event.data).toEqual(JSON.parse(records[n]?.data ?? ''))
    })
  })

  it('fits its contract', () => {
    const message = JSON.parse(encoder.message(eventNumber(3), 4))
    expect(Compile(EventMessage).Check(message)).toBe(true)
  })

  it('is not made of data that is no object', () => {
    expect(() => encoder.message({ ...eventNumber(0), data: '[1]' }, 1)).toThrow('no JSON object')
  })

  it('is UTF-8', () => {
    const { frame } = encoder.entry({ offset: 1, value: { ...eventNumber(0), subject: 'Å/🜚' } })
    expect(Buffer.from(frame).toString()).toContain('"subject":"Å/🜚"')
  })
})
