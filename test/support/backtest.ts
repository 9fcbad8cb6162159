import { exportsCountries, isServed, servedIndicators, servingOf } from '../../contracts/indicators.ts'
import type { Frequency, Release, Series } from '../../contracts/records.ts'
import type { FigureBoard } from '../../domain/figure-board.ts'
import { forecaster } from '../../domain/forecast-method.ts'
import { modelOf } from '../../domain/forecast-model.ts'
import { shiftPeriod } from '../../domain/period.ts'

const horizons = [1, 2, 3]
const seasons: Readonly<Record<Frequency, number>> = { A: 1, Q: 4, M: 12 }
const frequencyNames: Readonly<Record<Frequency, string>> = { M: 'month', Q: 'quarter', A: 'year' }

/** Sums of absolute errors over `count` forecasts of one indicator, frequency and horizon, of all countries. */
type Row = { count: number; series: number; method: number; naive: number; seasonal: number; within: number }

/**
 * What the method would have missed by, from every period of every served series of the sample on which it would have made
 * a forecast, beside the newest figure (naive) and the newest of the same season (seasonal naive) at the same periods.
 */
export function backtestTable(board: FigureBoard): string {
  const current = Map.groupBy(board.releases(), ({ series }) => series.id)
  const lines = servedIndicators.flatMap((indicator) => {
    const { figure, kind } = servingOf(indicator).predicted
    const served = exportsCountries.flatMap((country) => board.latest(country, indicator)?.series ?? [])
    return (['M', 'Q', 'A'] as const).flatMap((frequency) =>
      horizons.flatMap((horizon) => {
        const row: Row = { count: 0, series: 0, method: 0, naive: 0, seasonal: 0, within: 0 }
        for (const series of served) {
          if (series.frequency === frequency) addSeries(row, series, current.get(series.id) ?? [], horizon)
        }
        if (row.count === 0) return []
        const mean = (sum: number) => (sum / row.count).toFixed(2)
        const unit = kind === 'level' ? '%' : kind === 'balance' ? '% of exports' : 'points'
        return `| ${indicator} \`${figure}\` | ${frequencyNames[frequency]} | ${horizon} | ${row.series} | ${row.count} | ${mean(row.method)} | ${mean(row.naive)} | ${mean(row.seasonal)} | ${unit} | ${Math.round((100 * row.within) / row.count)} % |`
      }),
    )
  })
  return [
    '| figure | period | ahead | series | forecasts | this method | naive | seasonal naive | mean absolute error in | within the interval |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...lines,
  ].join('\n')
}

function addSeries(row: Row, series: Series, releases: readonly Release[], horizon: number): void {
  if (!isServed(series.indicator)) return
  const { figure, kind } = servingOf(series.indicator).predicted
  const byPeriod = new Map(releases.map((release) => [release.period, release]))
  const periods = spanOf([...byPeriod.keys()].sort())
  const figures = periods.map((period) => byPeriod.get(period)?.figures[figure])
  const forecastFrom = forecaster(figures, modelOf({ ...series, indicator: series.indicator }), horizon)
  const season = seasons[series.frequency] * Math.ceil(horizon / seasons[series.frequency])
  const before = row.count
  for (let at = horizon; at < figures.length; at++) {
    const [actual, naive, seasonal] = [figures[at], figures[at - horizon], figures[at - season]]
    const forecast = forecastFrom(at - horizon)
    if (!actual || !naive || !seasonal || !forecast) continue
    const size = kind === 'level' ? actual : byPeriod.get(periods[at] ?? '')?.figures.exports
    const scale = kind === 'rate' || kind === 'share' ? 1 : 100 / Number(size)
    const missed = (expected: string) => Math.abs(Number(actual) - Number(expected)) * scale
    row.count++
    row.method += missed(forecast.value)
    row.naive += missed(naive)
    row.seasonal += missed(seasonal)
    row.within += Number(Number(forecast.lower) <= Number(actual) && Number(actual) <= Number(forecast.upper))
  }
  if (row.count > before) row.series++
}

const spanOf = (sorted: readonly string[]): string[] => {
  const span: string[] = []
  const last = sorted.at(-1) ?? ''
  for (let period = sorted[0]; period !== undefined && period <= last; period = shiftPeriod(period, 1))
    span.push(period)
  return span
}
