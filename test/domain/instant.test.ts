import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Instant } from '../../contracts/instant.ts'
import { spanOfInstant } from '../../domain/instant.ts'

const days = fc.date({
  min: new Date('0001-01-01T00:00:00Z'),
  max: new Date('9998-12-31T00:00:00Z'),
  noInvalidDate: true,
})

describe('an instant', () => {
  it('is read back from every offset', () => {
    fc.assert(
      fc.property(days, fc.integer({ min: -1439, max: 1439 }), (date, minutes) => {
        const local = new Date(date.getTime() + minutes * 60_000).toISOString().slice(0, -1)
        const pad = (value: number) => String(value).padStart(2, '0')
        const away = Math.abs(minutes)
        const written = `${local}${minutes < 0 ? '-' : '+'}${pad(Math.floor(away / 60))}:${pad(away % 60)}`
        expect(spanOfInstant(written)).toEqual({ first: date.getTime(), last: date.getTime() })
      }),
    )
  })

  it('is a whole day where only the date is given', () => {
    expect(spanOfInstant('2024-02-29')).toEqual({
      first: Date.parse('2024-02-29T00:00:00.000Z'),
      last: Date.parse('2024-02-29T23:59:59.999Z'),
    })
  })

  it('lies between two milliseconds where it is finer', () => {
    const at = Date.parse('2026-01-01T00:00:00.123Z')
    expect(spanOfInstant('2026-01-01T00:00:00.1235Z')).toEqual({ first: at + 1, last: at })
    expect(spanOfInstant('2026-01-01T00:00:00.123000Z')).toEqual({ first: at, last: at })
  })

  it.each([
    '2025-02-29',
    '2026-04-31T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:00:60Z',
    '2026-01-01T00:00:00',
    '2026-01-01 00:00:00Z',
    '2026-1-1',
    '20260101',
    '',
  ])('is not %j, which the pattern or the calendar refuses', (text) => {
    // TypeBox types leave out `pattern`.
    const { pattern = '' } = Instant as { readonly pattern?: string }
    expect(new RegExp(pattern).test(text) && spanOfInstant(text) !== undefined).toBe(false)
  })
})
