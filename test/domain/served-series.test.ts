import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Series } from '../../contracts/records.ts'
import { compareForServing } from '../../domain/served-series.ts'
import { testSeries } from '../support/releases.ts'

const derivation = 'change-1y'
const seasonal_adjustment = 'seasonally_adjusted'

/** Series of one country, indicator and frequency, best first. The office TEST is not in the order of sources. */
const ranked: readonly Series[] = [
  testSeries({ source: 'BEA', seasonal_adjustment, base_period: '2010' }),
  testSeries({ source: 'BLS', base_period: '2010' }),
  testSeries({ source: 'OECD', base_period: '2020' }),
  testSeries({ source: 'OECD', base_period: '2015', dataset: 'A' }),
  testSeries({ source: 'OECD', base_period: '2015', dataset: 'B' }),
  testSeries({ source: 'OECD', base_period: '2025', seasonal_adjustment }),
  testSeries({ source: 'UNSD' }),
  testSeries({ source: 'TEST' }),
  testSeries({ source: 'BEA', derivation }),
  testSeries({ source: 'OECD', derivation }),
]

it('ranks published series, then the source, the usual adjustment, the newest base and the id', () => {
  const inAnyOrder = fc.shuffledSubarray([...ranked], { minLength: ranked.length })
  fc.assert(
    fc.property(inAnyOrder, (series) => {
      expect(series.toSorted(compareForServing).map(({ id }) => id)).toEqual(ranked.map(({ id }) => id))
    }),
  )
})
