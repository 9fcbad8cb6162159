import { describe, expect, it } from 'vitest'
import { eventStartOf, faultOfSequence } from '../../domain/event-start.ts'

const faultOf = (text: string, next: number) => {
  const start = eventStartOf(text)
  if (!start || !('sequence' in start)) throw new Error(`${text} is no sequence`)
  return faultOfSequence(start, next)
}

describe('a sequence as a start', () => {
  it.each(['0', '1', '300', '301', '00000000000000000301'])('up to the next event is honoured: %s', (text) => {
    expect(faultOf(text, 301)).toBeUndefined()
  })

  it.each(['302', '2026', '202611', '99999999999999999999', '20261301', '20260230', '9999999999', '12345678901234567'])(
    'beyond it is ahead of the journal: %s',
    (text) => {
      expect(faultOf(text, 301)).toEqual({ isTime: false, detail: `${text} is beyond the next event, 301.` })
    },
  )

  it.each([
    ['1764154800', 'Unix seconds', '2025-11-26T11:00:00Z'],
    ['01764154800', 'Unix seconds', '2025-11-26T11:00:00Z'],
    ['1764154800123', 'Unix milliseconds', '2025-11-26T11:00:00.123Z'],
    ['1764154800123456', 'Unix microseconds', '2025-11-26T11:00:00.123Z'],
    ['1764154800123456789', 'Unix nanoseconds', '2025-11-26T11:00:00.123Z'],
    ['20261126', 'a date without hyphens', '2026-11-26'],
  ])('beyond it is named as a time of another unit: %s', (text, unit, instant) => {
    const detail = `${text} is beyond the next event, 301; it looks like ${unit}: write ${instant}.`
    expect(faultOf(text, 301)).toEqual({ isTime: true, detail })
  })

  it('that looks like a time is honoured once the journal has as many events', () => {
    expect(faultOf('20261126', 20_261_126)).toBeUndefined()
  })
})
