import { describe, expect, it } from 'vitest'
import type { Release, Series } from '../../contracts/records.ts'
import { modelOf } from '../../domain/forecast-model.ts'
import { periodsOfYear } from '../../domain/period.ts'
import { endPublication, keepRecorded, noPredictions, takeRelease } from '../../domain/prediction-board.ts'
import { predictionSignal } from '../../domain/prediction-signal.ts'
import { accepted, candidate, flowSeries, testSeries } from '../support/releases.ts'

const AT = '2026-01-15T12:00:00.000Z'
const ofJobless = {
  indicator: 'unemployment',
  unit: 'percent',
  seasonal_adjustment: 'seasonally_adjusted',
} as const
const jobless = testSeries(ofJobless)
const months = ['2020', '2021', '2022', '2023', '2024', '2025'].flatMap((year) => periodsOfYear('M', year))
const rate = (period: string, value: string, series: Series = jobless, known?: Release): Release =>
  accepted(candidate(series, period, { rate: value }), known)
/** Rates that go up and down by 0.1 and 0.2 around 5. */
const rates = (series: Series, periods: readonly string[]): Release[] =>
  periods.map((period, i) => rate(period, `5.${[1, 3, 2, 4, 1][i % 5]}`, series))

function board() {
  const state = noPredictions()
  return {
    state,
    publish(releases: readonly Release[], at = AT) {
      for (const release of releases) takeRelease(state, release)
      return endPublication(state, at)
    },
  }
}
/** A board with months to 2025-11, and its open prediction of 2025-12. */
function filled() {
  const { state, publish } = board()
  const [change, ...others] = publish(rates(jobless, months.slice(0, -1)))
  expect(others).toEqual([])
  return { state, publish, open: change?.updated ?? expect.fail('nothing is predicted') }
}

describe('a publication', () => {
  it('predicts the period after the newest, between its bounds, once', () => {
    const { publish, open } = filled()
    expect(open).toMatchObject({
      country: 'USA',
      indicator: 'unemployment',
      figure: 'rate',
      period: '2025-12',
      unit: 'percent',
      computed: true,
      made_at: AT,
      scored: null,
    })
    expect(Number(open.lower)).toBeLessThan(Number(open.value))
    expect(Number(open.value)).toBeLessThan(Number(open.upper))
    expect(publish([])).toEqual([])
    expect(publish([rate('2025-11', '5.1')])).toEqual([])
  })

  it('scores the prediction of its period, and predicts the next one with that score', () => {
    const { publish, open } = filled()
    const [change] = publish([rate('2025-12', open.value)])
    const scored = { period: '2025-12', value: open.value, actual: open.value, within: true }
    expect(change?.scored).toMatchObject({ ...open, scored })
    expect(Number(change?.scored?.scored?.error)).toBe(0)
    expect(change?.updated).toMatchObject({ period: '2026-01', scored })
    expect(change?.current).toBe(change?.updated)
  })

  it.each([
    ['lower', 0, true],
    ['upper', 0, true],
    ['lower', -0.1, false],
    ['upper', 0.1, false],
  ] as const)('a figure at the %s bound, moved by %s, is within: %s', (bound, by, within) => {
    const { publish, open } = filled()
    const actual = (Number(open[bound]) + by).toFixed(2)
    expect(publish([rate('2025-12', actual)])[0]?.scored?.scored).toMatchObject({ within, actual })
  })

  it('of a period long ago, or with too few before it, predicts nothing', () => {
    expect(board().publish(rates(jobless, months.slice(0, 3)))).toEqual([])
    const old = months.slice(0, 60)
    expect(board().publish(rates(jobless, old), '2031-01-31T12:00:00.000Z')).toHaveLength(1)
    expect(board().publish(rates(jobless, old), '2031-02-01T12:00:00.000Z')).toEqual([])
  })

  it('that is late, of a figure that is not predicted, or not public, counts for nothing', () => {
    const { publish } = filled()
    expect(publish([{ ...rate('2025-12', '5.2'), late: true }])).toEqual([])
    const other = testSeries({ indicator: 'gdp-volume', frequency: 'Q' })
    expect(publish([accepted(candidate(other, '2025-Q3', { value: '1' }))])).toEqual([])
    const values = months.map((period, i) =>
      accepted(candidate(flowSeries('trade-exports', { country: 'CHN' }), period, { value: String(100 + (i % 7)) })),
    )
    expect(publish(values)).toEqual([])
  })

  it('of a better date is no news, and a revision is', () => {
    const { publish, open } = filled()
    const known = rate('2025-11', '5.1')
    const same = { ...known, release_id: 'rel_redated', redates: known.release_id }
    expect(publish([same])).toEqual([])
    const [change] = publish([rate('2025-11', '6.4', jobless, known)])
    expect(change).toMatchObject({ updated: { period: '2025-12' } })
    expect(change?.scored).toBeUndefined()
    expect(change?.updated?.value).not.toBe(open.value)
    // A forecast does not reach so far back.
    expect(publish([rate('2020-01', '9.9')])).toEqual([])
  })

  it('that withdraws the newest figure predicts its period again', () => {
    const { publish } = filled()
    const last = rate('2025-12', '5.2')
    publish([last])
    const withdrawal = accepted({ ...candidate(jobless, '2025-12', { rate: '5.2' }), printed: null }, last)
    expect(publish([withdrawal])[0]).toMatchObject({ updated: { period: '2025-12' } })
    expect(publish([rate('2025-12', '5.3', jobless, withdrawal)])[0]).toMatchObject({
      scored: { period: '2025-12' },
      updated: { period: '2026-01' },
    })
  })

  it('of a series that answers instead takes over, without the score of the other', () => {
    const { publish } = filled()
    const better = testSeries({ ...ofJobless, source: 'BLS' })
    const [change] = publish(rates(better, months))
    expect(change).toMatchObject({ updated: { period: '2026-01', scored: null } })
    expect(change?.scored).toBeUndefined()
    // The other one is on record no more.
    expect(publish([rate('2025-12', '5.2')])).toEqual([])
  })

  it('of years beside months predicts the months', () => {
    const { publish } = filled()
    const annual = testSeries({ ...ofJobless, frequency: 'A' })
    expect(publish(['2023', '2024', '2025'].map((year) => rate(year, '5.0', annual)))).toEqual([])
  })
})

describe('the predictions on record', () => {
  it('stay open with their score, and all others are made again', () => {
    const { state, publish, open } = filled()
    const recorded = { ...open, made_at: '2026-01-01T00:00:00.000Z' }
    keepRecorded(state, [recorded])
    const [change] = publish([rate('2025-12', '5.2')])
    expect(change?.scored).toMatchObject({ made_at: recorded.made_at, period: '2025-12' })
    for (const others of [[], [{ ...open, value: '9.99' }], [{ ...open, country: 'DEU' }]]) {
      const again = filled()
      keepRecorded(again.state, others)
      const [next] = again.publish([rate('2025-12', '5.2')])
      expect(next?.scored).toBeUndefined()
      expect(next?.updated).toMatchObject({ period: '2026-01', scored: null })
    }
  })

  it('are told of by one signal for each change of a place in a publication', () => {
    const { open } = filled()
    const signal = predictionSignal('updated', open, 'rel_1', AT)
    expect(signal).toMatchObject({
      key: 'USA.unemployment',
      type: 'predictions.prediction.updated',
      family: 'predictions',
      country: 'USA',
      subject: `USA/unemployment/2025-12`,
      time: AT,
    })
    expect(JSON.parse(signal.data)).toEqual(open)
    expect(predictionSignal('updated', { ...open, value: '1' }, 'rel_1', AT).signal_id).toBe(signal.signal_id)
    for (const other of [predictionSignal('scored', open, 'rel_1', AT), predictionSignal('updated', open, 'rel_2', AT)])
      expect(other.signal_id).not.toBe(signal.signal_id)
  })
})

it('figures without seasonal adjustment are predicted with seasons, save years and changes from a year before', () => {
  const seasonal = (over: Parameters<typeof testSeries>[0]) => {
    const series = testSeries({ indicator: 'unemployment', unit: 'percent', ...over })
    return modelOf({ ...series, indicator: series.indicator as 'unemployment' }).seasonal
  }
  expect(seasonal({})).toBe(true)
  expect(seasonal({ seasonal_adjustment: 'seasonally_adjusted' })).toBe(false)
  expect(seasonal({ frequency: 'A' })).toBe(false)
  expect(seasonal({ indicator: 'inflation' })).toBe(false)
})
