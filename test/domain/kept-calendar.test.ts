import fc from 'fast-check'
import { expect, it } from 'vitest'
import { shiftPeriod } from '../../domain/period.ts'
import { testSeries } from '../support/releases.ts'
import { abroad, begun, cpi, type DrawnCalendar, elsewhere, small, steps } from './drawn-calendar.ts'

/** Ways to ask, after each of which the calendar has kept something else. */
const asked = fc.constantFrom<(drawn: DrawnCalendar) => void>(
  () => undefined,
  ({ kept, now }) => kept.entries(now),
  ({ kept, now }) => kept.pending(now),
  ({ kept }) => {
    for (const cell of kept.outdated()) kept.refresh(cell)
  },
)

it('is, after any records and whenever it was asked, what a calendar makes of all of them', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(steps, asked), { minLength: 1, maxLength: 15 }), (journal) => {
      const drawn = begun()
      drawn.kept.entries(drawn.now)
      for (const [step, ask] of journal) {
        step(drawn)
        ask(drawn)
      }
      expect(drawn.kept.entries(drawn.now)).toEqual(drawn.fromScratch().entries(drawn.now))
    }),
    { numRuns: 40 },
  )
})

const sameDay = '2024-05-10'
/** The office abroad, with an index on another base, which is the better one. */
const rebased = testSeries({ country: 'DEU', base_period: '2020' })

// Drawn too seldom. Each has years of which nothing is recorded after the calendar was asked.
it.each<[situation: string, before: (drawn: DrawnCalendar) => void, after: (drawn: DrawnCalendar) => void]>([
  [
    'a series whose only print never was true',
    (drawn) => drawn.figure(small, '2022-03', '100', '2022-04-20'),
    (drawn) => drawn.voidPrint(small, '2022-03'),
  ],
  [
    'a series that turns out to begin before what was said of it',
    (drawn) => {
      drawn.figure(abroad, '2024-03', '100', sameDay)
      drawn.say({ change: 'never_published', country: 'DEU', indicator: 'cpi', period: '2023-02' }, null)
    },
    (drawn) => drawn.figure(abroad, '2021-03', '100', sameDay),
  ],
  [
    'a better series that begins at the same period',
    (drawn) => {
      for (const period of ['2024-03', '2021-03']) drawn.figure(abroad, period, '100', sameDay)
      drawn.say({ change: 'never_published', country: 'DEU', indicator: 'cpi', period: '2023-02' }, null)
    },
    (drawn) => {
      for (const period of ['2024-03', '2021-03']) drawn.figure(rebased, period, '100', sameDay)
    },
  ],
  [
    'a first print of another series that was none',
    (drawn) => {
      drawn.figure(elsewhere, '2022-05', '90', '2024-01-10')
      drawn.figure(elsewhere, '2022-05', '95', '2024-02-10')
      drawn.figure(cpi, '2022-05', null, '2024-03-10')
    },
    (drawn) => drawn.figure(elsewhere, '2023-09', '90', '2024-01-05'),
  ],
  [
    'first prints that are gone, and later ones of another series',
    (drawn) => drawn.figure(elsewhere, '2023-01', '90', '2024-01-10'),
    (drawn) => {
      for (let i = 0; i < 9; i++) drawn.voidPrint(cpi, shiftPeriod('2021-01', i))
      drawn.figure(elsewhere, '2024-02', '90', '2024-03-15')
    },
  ],
])('follows from %s', (_, before, after) => {
  const drawn = begun()
  before(drawn)
  const entries = drawn.kept.entries(drawn.now)
  after(drawn)
  expect(drawn.kept.entries(drawn.now)).toEqual(drawn.fromScratch().entries(drawn.now))
  expect(drawn.kept.entries(drawn.now)).not.toEqual(entries)
})
