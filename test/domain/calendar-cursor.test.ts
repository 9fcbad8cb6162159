import { expect, it } from 'vitest'
import { decodeCalendarCursor, encodeCalendarCursor, filterText } from '../../domain/calendar-cursor.ts'
import { encodeCursor } from '../../domain/cursor.ts'

const cursor = {
  journal: 'j',
  filters: { country: ['USA', 'DEU'], status: ['late'], start: '2026-01-01' },
  after: '2026-02-01 DEU cpi',
  issuedAt: 7,
}

it('a cursor of the calendar comes back as it went out', () => {
  expect(decodeCalendarCursor(encodeCalendarCursor(cursor))).toEqual(cursor)
  const all = { ...cursor, filters: {} }
  expect(decodeCalendarCursor(encodeCalendarCursor(all))).toEqual(all)
})

it('the same filters are one text, in whatever order they are given', () => {
  const { country, status, start } = cursor.filters
  expect(filterText({ start, status, country })).toBe(filterText(cursor.filters))
  expect(filterText({ country, status })).not.toBe(filterText(cursor.filters))
})

const filters = filterText(cursor.filters)
it.each([
  ['a journal that is no text', [1, filters, 'a', 7]],
  ['filters that are no text', ['j', {}, 'a', 7]],
  ['a place that is no text', ['j', filters, null, 7]],
  ['a time that is no count', ['j', filters, 'a', -1]],
  ['filters that are no JSON', ['j', '{', 'a', 7]],
  ['a list that is none', ['j', '{"country":"USA"}', 'a', 7]],
  ['a first day that is no text', ['j', '{"start":1}', 'a', 7]],
  ['a last day that is no text', ['j', '{"start":"2026-01-01","end":[]}', 'a', 7]],
  ['too few members', ['j']],
] as readonly (readonly [string, readonly (string | number)[]])[])(
  'a cursor with a right checksum and %s is refused',
  (_, members) => {
    expect(decodeCalendarCursor(encodeCursor('d', members))).toBeUndefined()
  },
)

it('a text that is no cursor of the calendar is refused', () => {
  expect(decodeCalendarCursor('')).toBeUndefined()
  expect(decodeCalendarCursor(encodeCursor('h', ['j', filters, 'a', 7]))).toBeUndefined()
})
