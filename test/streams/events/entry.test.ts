import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { EventMessage } from '../../../contracts/frames.ts'
import { decodeEventCursor } from '../../../domain/cursor.ts'
import { servedEvent } from '../../../domain/served-event.ts'
import { entryOf, eventMessage } from '../../../streams/events/entry.ts'
import { eventNumber } from '../../support/journal-records.ts'

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
          const message = eventMessage('TEST', record, 41)
          const { cursor } = JSON.parse(message).event
          expect(message).toBe(JSON.stringify({ type: 'event', event: { ...servedEvent(record, 'TEST'), cursor } }))
          expect(decodeEventCursor(cursor)).toEqual({ journal: 'TEST', sequence: sequence + 1, hint: 42 })
        },
      ),
    )
  })

  it('fits its contract', () => {
    const message = JSON.parse(eventMessage('TEST', eventNumber(3), 4))
    expect(Compile(EventMessage).Check(message)).toBe(true)
  })

  it('is not made of data that is no object', () => {
    expect(() => eventMessage('TEST', { ...eventNumber(0), data: '[1]' }, 1)).toThrow('no JSON object')
  })

  it('is UTF-8', () => {
    const { frame } = entryOf('TEST', { offset: 1, value: { ...eventNumber(0), subject: 'Å/🜚' } })
    expect(Buffer.from(frame).toString()).toContain('"subject":"Å/🜚"')
  })
})
