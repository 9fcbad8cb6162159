import { describe, expect, it } from 'vitest'
import type { Series } from '../../../contracts/records.ts'
import { deriveFrom, nothingDerived } from '../../../domain/derive/fold.ts'
import { accepted, candidate, testSeries } from '../../support/releases.ts'

const [EARLY, LATE] = ['2024-07-25', '2024-09-10']
const volume = testSeries({ indicator: 'gdp-volume', frequency: 'Q', unit: 'USD' })

/** Prints by period, all of them released early but for those that are late. */
const printsOf = (series: Series, values: Readonly<Record<string, string>>, late: readonly string[]) =>
  Object.entries(values).map(([period, value]) =>
    accepted(
      candidate(
        series,
        period,
        { value },
        { released: { on: late.includes(period) ? LATE : EARLY, basis: 'publisher' } },
      ),
    ),
  )
/** What is derived for the newest period, with the periods from which it is. */
function derived(series: Series, values: Readonly<Record<string, string>>, late: readonly string[] = []) {
  const prints = printsOf(series, values, late)
  const periods = new Map(prints.map(({ release_id, period }) => [release_id, period]))
  return deriveFrom(nothingDerived(), prints)
    .filter(({ period }) => period === Object.keys(values).at(-1))
    .map(({ released_on, figures, inputs }) => [
      released_on,
      figures,
      [...new Set(inputs)].map((id) => periods.get(id)).sort(),
    ])
}

describe('inflation', () => {
  const index = { '2023-06': '100', '2023-12': '104', '2024-05': '105', '2024-06': '106' }
  const figures = { year_over_year: '6.0', month_over_month: '1.0', year_to_date: '1.9' }

  it('is computed from the month, the month before, the month a year before, and December before', () => {
    expect(derived(testSeries(), index)).toEqual([[EARLY, figures, Object.keys(index)]])
  })

  it.each(Object.keys(index))('is of the day on which the last index is out, also if that is of %s', (late) => {
    expect(derived(testSeries(), index, [late])).toEqual([[LATE, figures, Object.keys(index)]])
  })

  it('is none without one of them', () => {
    for (const period of Object.keys(index).slice(0, -1))
      expect(
        derived(testSeries(), Object.fromEntries(Object.entries(index).filter(([key]) => key !== period))),
      ).toEqual([])
  })
})

describe('growth', () => {
  const levels = { '2023-Q1': '100', '2023-Q2': '100', '2024-Q1': '110', '2024-Q2': '121' }
  const compared = { year_over_year: '21.0', quarter_over_quarter: '10.0' }
  // 231 after 200.
  const figures = { ...compared, year_to_date: '15.5' }

  it('is computed from the quarters of the year so far, and the same ones a year before', () => {
    expect(derived(volume, levels)).toEqual([[EARLY, figures, Object.keys(levels)]])
  })

  it.each(['2023-Q2', '2024-Q1', '2024-Q2'])(
    'is of the day on which the last level is out, also if that is of %s',
    (late) => {
      expect(derived(volume, levels, [late])).toEqual([[LATE, figures, Object.keys(levels)]])
    },
  )

  it('has no year to date before all quarters of it are out', () => {
    expect(derived(volume, levels, ['2023-Q1'])).toEqual([
      [EARLY, compared, ['2023-Q2', '2024-Q1', '2024-Q2']],
      [LATE, figures, Object.keys(levels)],
    ])
  })
})
