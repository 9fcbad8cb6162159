import fc from 'fast-check'
import { expect, it } from 'vitest'
import { shiftPeriod } from '../../domain/period.ts'
import { servingKey } from '../../domain/served-series.ts'
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

/** Nothing may be left of an answer in the next one, so that it is asked twice. */
function expectAsFromScratch(drawn: DrawnCalendar): void {
  const { kept, now } = drawn
  const fresh = drawn.fromScratch()
  expect(kept.entries(now)).toEqual(fresh.entries(now))
  expect(kept.entries(now)).toEqual(fresh.entries(now))
  const isPending = ({ status }: { readonly status: string }) => status === 'late' || status === 'expected'
  expect(namesOf(kept.pending(now))).toEqual(namesOf(fresh.entries(now).filter(isPending)))
}
const namesOf = (entries: readonly { readonly sortKey: string }[]): string[] =>
  entries.map(({ sortKey }) => sortKey).sort()

it('is, after any records and whenever it was asked, what a calendar makes of all of them', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(steps, asked), { minLength: 1, maxLength: 15 }), (journal) => {
      const drawn = begun()
      drawn.kept.entries(drawn.now)
      for (const [step, ask] of journal) {
        step(drawn)
        ask(drawn)
      }
      expectAsFromScratch(drawn)
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
  [
    'a first print years before the next one, by which a gap between them was expected',
    (drawn) => {
      // Ten days after the period, eleven and twelve: eleven is usual.
      drawn.figure(abroad, '2021-01', '100', '2021-02-10')
      drawn.figure(abroad, '2021-02', '100', '2021-03-11')
      drawn.figure(abroad, '2021-03', '100', '2021-04-12')
      drawn.figure(abroad, '2024-01', '100', '2024-02-10')
      drawn.say({ change: 'never_published', country: 'DEU', indicator: 'cpi', period: '2023-02' }, null)
    },
    // Thirty days: twelve are usual now.
    (drawn) => drawn.figure(abroad, '2021-04', '100', '2021-05-30'),
  ],
])('follows from %s', (_, before, after) => {
  const drawn = begun()
  before(drawn)
  const entries = drawn.kept.entries(drawn.now)
  after(drawn)
  expectAsFromScratch(drawn)
  expect(drawn.kept.entries(drawn.now)).not.toEqual(entries)
})

it('names the cells that a record has made outdated, which are brought up to date one by one', () => {
  const drawn = begun()
  drawn.kept.entries(drawn.now)
  expect(drawn.kept.outdated()).toEqual([])
  drawn.figure(cpi, '2024-01', '136', '2024-02-10')
  const outdated = [servingKey(cpi), servingKey({ ...cpi, indicator: 'inflation' })]
  expect(drawn.kept.outdated().sort()).toEqual(outdated)
  drawn.kept.refresh(servingKey(cpi))
  expect(drawn.kept.outdated()).toEqual(outdated.slice(1))
  drawn.kept.refresh('a cell that is gone')
  expectAsFromScratch(drawn)
  expect(drawn.kept.outdated()).toEqual([])
})
