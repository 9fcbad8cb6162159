import { isPublic, isServed, type ServedIndicator, servingOf } from '../contracts/indicators.ts'
import type { Release, Series } from '../contracts/records.ts'
import type { Prediction } from '../contracts/resources.ts'
import { compareDecimals, subtract } from './decimal.ts'
import { forecast, methodName } from './forecast.ts'
import { reachOf } from './forecast-method.ts'
import { modelOf } from './forecast-model.ts'
import { endOfPeriod, shiftPeriod } from './period.ts'
import { compareForServing, latestOrder } from './served-series.ts'

type PredictedSeries = Series & { readonly indicator: ServedIndicator }

/** The current predicted figures of one series. */
type Track = { readonly series: PredictedSeries; readonly values: Map<string, string>; newest: string }

/** All series of a country and indicator, and the prediction whose period has not been released. */
type Place = { readonly tracks: Track[]; open?: { readonly seriesId: string; readonly prediction: Prediction } }

/** Figures by place and the places that the publication being read has changed. Plain data: survives `structuredClone`. */
export type PredictionState = { readonly places: Map<string, Place>; readonly touched: Set<string> }
export const noPredictions = (): PredictionState => ({ places: new Map(), touched: new Set() })

/** What a publication did to the prediction of one country and indicator. */
type PredictionChange = {
  /** The prediction whose period was released, with how it did. */
  readonly scored?: Prediction
  /** What is expected now, where that is news. */
  readonly updated?: Prediction
  /** What is on record from now on: the updated one, or where nothing can be expected the scored one. */
  readonly current: Prediction
}

/**
 * A release that ended so long before it was recorded is history that is being loaded: what would have been expected next
 * is no news to anyone. Long enough for every series of the bundled sample that has been published in this decade.
 */
const STALE_AFTER_MONTHS = 72

/** Takes a release in; what it means for predictions is said when its publication ends. `state` is moved on. */
export function takeRelease({ places, touched }: PredictionState, { series, period, figures }: Release): void {
  if (!isPredictedSeries(series)) return
  const value = figures[servingOf(series.indicator).predicted.figure]
  if (value === undefined) return
  const key = keyOf(series)
  const place = places.get(key) ?? { tracks: [] }
  places.set(key, place)
  let track = place.tracks.find((known) => known.series.id === series.id)
  if (!track) {
    track = { series, values: new Map(), newest: period }
    place.tracks.push(track)
    place.tracks.sort((a, b) => compareForServing(a.series, b.series))
  }
  track.values.set(period, value)
  if (period > track.newest) track.newest = period
  // What is older than a forecast reaches back can't change one.
  if (period > shiftPeriod(track.newest, -reachOf(series.frequency, 1))) touched.add(key)
}

/** What the publication that a release recorded at `at` ended has changed, place by place. `state` is moved on. */
export function endPublication({ places, touched }: PredictionState, at: string): PredictionChange[] {
  const changes: PredictionChange[] = []
  for (const key of touched) {
    const place = places.get(key)
    const change = place && changeOf(place, at)
    if (change) changes.push(change)
  }
  touched.clear()
  return changes
}

function changeOf(place: Place, at: string): PredictionChange | undefined {
  const scored = scoreOf(place)
  const track = served(place)
  const next = track && predict(track, at)
  if (scored) delete place.open
  if (!next || (place.open && isSame(place.open.prediction, next))) return scored && { scored, current: scored }
  const seriesId = track.series.id
  // A score stays with the predictions of its own series: of another it would say nothing.
  const before = place.open?.seriesId === seriesId ? place.open.prediction : scored
  const updated = { ...next, scored: before?.scored ?? null }
  place.open = { seriesId, prediction: updated }
  return { ...(scored ? { scored } : {}), updated, current: updated }
}

/** The open prediction with its score, once the series that it was made from has the figure. */
function scoreOf({ tracks, open }: Place): Prediction | undefined {
  if (!open) return undefined
  const { period, value, lower, upper } = open.prediction
  const actual = tracks.find(({ series }) => series.id === open.seriesId)?.values.get(period)
  if (actual === undefined) return undefined
  const within = compareDecimals(lower, actual) <= 0 && compareDecimals(actual, upper) <= 0
  return { ...open.prediction, scored: { period, value, actual, error: subtract(actual, value), within } }
}

function predict({ series, values, newest }: Track, at: string): Prediction | undefined {
  const next = shiftPeriod(newest, 1)
  if (endOfPeriod(next) < monthsBefore(at, STALE_AFTER_MONTHS)) return undefined
  const model = modelOf(series)
  const expected = forecast(values, model)
  if (!expected) return undefined
  const { period, value, lower, upper } = expected
  return {
    country: series.country,
    indicator: series.indicator,
    figure: servingOf(series.indicator).predicted.figure,
    period,
    value,
    lower,
    upper,
    unit: series.unit,
    method: methodName(model),
    computed: true,
    made_at: at,
    scored: null,
  }
}

/** The series that answers "latest", as `FigureBoard.latest` chooses it. */
function served({ tracks }: Place): Track | undefined {
  const first = tracks[0]?.series
  if (!first) return undefined
  for (const frequency of latestOrder(first.country, first.indicator)) {
    const track = tracks.find(({ series }) => series.frequency === frequency)
    if (track) return track
  }
  return undefined
}

/** Predictions of exports follow the totals: of those countries only whose totals are public. */
const isPredictedSeries = (series: Series): series is PredictedSeries =>
  isServed(series.indicator) && isPublic(series.indicator, series.country)

const isSame = (a: Prediction, b: Prediction): boolean =>
  (['period', 'value', 'lower', 'upper', 'unit', 'method'] as const).every((member) => a[member] === b[member])

const monthsBefore = (instant: string, months: number): string =>
  `${shiftPeriod(instant.slice(0, 7), -months)}${instant.slice(7, 10)}`

export const keyOf = ({ country, indicator }: { readonly country: string; readonly indicator: string }): string =>
  `${country}.${indicator}`
