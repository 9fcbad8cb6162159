import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Release, ReleasedOnBasis } from '../../contracts/records.ts'
import { addDays, daysBetween } from '../../domain/day.ts'
import { median } from '../../domain/median.ts'
import { endOfPeriod, frequencyOf, shiftPeriod } from '../../domain/period.ts'
import { publishedQueries } from '../../projections/views/published/query.ts'
import { LEAST_DATED } from '../../projections/views/vintages/estimated.ts'
import { EstimatedDays } from '../../projections/views/vintages/estimated-days.ts'
import { vintages } from '../../projections/views/vintages/project.ts'
import { vintageQueries } from '../../projections/views/vintages/query.ts'
import { accepted, candidate, testSeries } from '../support/releases.ts'
import { append, project, useWorlds } from './support/world.ts'

const stored = useWorlds()
const LATEST = '2026-01-10'

type Print = { readonly on: string; readonly basis: Exclude<ReleasedOnBasis, 'estimated'> }

/** First prints of consecutive periods: with a lag of their own, or all found on one day. */
const prints = fc
  .record({
    first: fc.constantFrom('2019-11', '2019-Q3', '2016'),
    lags: fc.array(
      fc.record({
        days: fc.integer({ min: -3, max: 70 }),
        basis: fc.constantFrom<Print['basis'][]>('publisher', 'publisher', 'dataset', 'copy', 'first_seen'),
        isBulk: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
      }),
      { minLength: 1, maxLength: 9 },
    ),
  })
  .map(({ first, lags }) =>
    lags.map(({ days, basis, isBulk }, i): readonly [string, Print] => {
      const period = shiftPeriod(first, i)
      return [period, { on: isBulk ? LATEST : addDays(endOfPeriod(period), days), basis }]
    }),
  )

/** The rule in plain words: the estimate of a print, or undefined if its own date holds. */
function estimateOf(all: readonly (readonly [string, Print])[], [period, print]: readonly [string, Print]) {
  const isEvidence = ([own, { on, basis }]: readonly [string, Print]) => {
    const isNewestOfDay = !all.some(([other, { on: day }]) => day === on && other > own)
    const isFirstDay = !all.some(([, { on: day }]) => day < on)
    return (basis === 'publisher' && !isFirstDay) || ((basis === 'publisher' || basis === 'dataset') && isNewestOfDay)
  }
  const lags = all.filter(isEvidence).map(([own, { on }]) => daysBetween(endOfPeriod(own), on))
  if (lags.length < LEAST_DATED || isEvidence([period, print])) return undefined
  const day = addDays(endOfPeriod(period), median(lags))
  return day < print.on ? day : undefined
}

test('figures without evidence have the median lag of their series, and all others their own date', async () => {
  const { journal, client } = await stored()
  const drawn = fc.sample(prints, { numRuns: 60, seed: Number(process.env.ALMANAC_TEST_SEED ?? 3) })
  const countries = drawn.map((_, i) => `X${String.fromCharCode(65 + Math.floor(i / 26), 65 + (i % 26))}`)
  const releases: Release[] = []
  const expected = new Map<string, readonly [string, string]>()
  for (const [i, all] of drawn.entries()) {
    const frequency = frequencyOf(all[0]?.[0] ?? '') ?? 'M'
    const series = testSeries({ indicator: 'unemployment', unit: 'percent', country: countries[i] ?? '', frequency })
    for (const [period, print] of all) {
      const release = {
        ...accepted(candidate(series, period, { rate: '4' }, { released: { on: '2026-01-10', basis: 'copy' } })),
        released_on: print.on,
        released_on_basis: print.basis,
      }
      releases.push(release)
      const estimate = estimateOf(all, [period, print])
      expected.set(release.release_id, estimate === undefined ? [print.on, print.basis] : [estimate, 'estimated'])
    }
  }
  expect(new Set([...expected.values()].map(([, basis]) => basis)).size).toBe(5)
  await append(journal, 'releases', releases)
  await project(vintages, { journal, client })
  const dated = (found: readonly Release[]) =>
    new Map(found.map((one) => [one.release_id, [one.released_on, one.released_on_basis]]))
  const ids = [...expected.keys()]
  expect(dated(await vintageQueries(client, '9999-12-31', new EstimatedDays(client)).byIds(ids))).toEqual(expected)
  expect(dated(await vintageQueries(client, '9999-12-31').byIds(ids))).toEqual(dated(releases))

  const some = countries.slice(0, 12)
  const day = '2021-06-30'
  const published = publishedQueries(client, day, new EstimatedDays(client))
  for (const country of some) {
    const found = await published.releases(country)
    const own = releases.filter(({ series }) => series.country === country)
    const known = own.filter(({ release_id: id }) => (expected.get(id)?.[0] ?? '') <= day)
    expect(found.map(({ release_id }) => release_id).sort()).toEqual(known.map(({ release_id }) => release_id).sort())
  }
})

test('neither a revision nor a figure that another series had before is estimated, and a derived one follows its inputs', async () => {
  const { journal, client } = await stored()
  const on = (day: string, basis: Print['basis']) => ({ released_on: day, released_on_basis: basis })
  const made = (
    series: ReturnType<typeof testSeries>,
    period: string,
    over: Partial<Release>,
    value = '1',
  ): Release => ({
    ...accepted(candidate(series, period, { value })),
    ...over,
  })
  const series = testSeries({ country: 'MNE' })
  const evidence = ['2020-01', '2020-02', '2020-03', '2020-04', '2020-05'].map((period) =>
    made(series, period, on(addDays(endOfPeriod(period), 10), 'publisher')),
  )
  const old = made(series, '2019-01', on('2026-01-10', 'copy'))
  const revised = made(series, '2019-01', on('2026-01-12', 'copy'), '2')
  const before = made(testSeries({ country: 'MNE', base_period: '2010' }), '2019-02', on('2019-03-20', 'publisher'))
  const again = made(series, '2019-02', on('2026-01-10', 'copy'))
  const derive = { derivation: 'test', inputs: [] }
  const ofMonths = { ...testSeries({ country: 'MNE', dataset: 'T2' }), derivation: derive.derivation }
  const derived = made(ofMonths, '2019-01', {
    ...on('2026-01-10', 'copy'),
    inputs: [old.release_id, evidence[0]?.release_id ?? ''],
  })
  const twice = made({ ...testSeries({ country: 'MNE', dataset: 'T3' }), derivation: 'test' }, '2019-01', {
    ...on('2026-01-10', 'copy'),
    inputs: [derived.release_id],
  })
  const ofRevised = made({ ...testSeries({ country: 'MNE', dataset: 'T4' }), derivation: 'test' }, '2019-01', {
    ...on('2026-01-12', 'copy'),
    inputs: [revised.release_id],
  })
  const all = [...evidence, old, revised, before, again, derived, twice, ofRevised]
  await append(journal, 'releases', all)
  await project(vintages, { journal, client })
  const found = await vintageQueries(client, '9999-12-31', new EstimatedDays(client)).byIds(
    all.map(({ release_id }) => release_id),
  )
  const estimated = found.filter(({ released_on_basis }) => released_on_basis === 'estimated')
  const days = new Map(estimated.map(({ release_id, released_on }) => [release_id, released_on]))
  expect(days).toEqual(
    new Map([
      [old.release_id, '2019-02-10'],
      [derived.release_id, '2020-02-10'],
      [twice.release_id, '2020-02-10'],
    ]),
  )
})
