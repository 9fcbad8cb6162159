import { isPublic, isServed, type ServedIndicator, servingOf } from '../contracts/indicators.ts'
import type { Release, Series } from '../contracts/records.ts'
import type { Prediction } from '../contracts/resources.ts'
import { frequencyOrder } from '../contracts/serving.ts'
import { compareDecimals, subtract } from './decimal.ts'
import { forecast, methodName } from './forecast.ts'
import { reachOf } from './forecast-method.ts'
import { modelOf } from './forecast-model.ts'
import { latest } from './instant.ts'
import { endOfPeriod, shiftPeriod } from './period.ts'
import { isWithdrawn } from './prints.ts'
import { compareForServing } from './served-series.ts'

type PredictedSeries = Series & { readonly indicator: ServedIndicator }

/** The current predicted figures of one series. */
type Track = { readonly series: PredictedSeries; readonly values: Map<string, string>; newest: string }

/** All series of a country and indicator, and the open prediction: the one whose period has not been released. */
type Place = {
  readonly tracks: Track[]
  /** The latest day of the releases that it knows. */
  day: string
  open?: { readonly seriesId: string; readonly prediction: Prediction }
}

/**
 * All places by key, and the keys of those that the publication being read has changed. Plain data: survives `structuredClone`.
 */
export type PredictionState = { readonly places: Map<string, Place>; readonly touched: Set<string> }
export const noPredictions = (): PredictionState => ({ places: new Map(), touched: new Set() })

/** Effect of a publication on the prediction of one country and indicator. */
type PredictionChange = {
  /** The prediction whose period was released, with its score. */
  readonly scored?: Prediction
  /** The new prediction, if it differs from the open one. */
  readonly updated?: Prediction
  /** The prediction on record from now on: the updated one, or the scored one if nothing can be predicted. */
  readonly current: Prediction
  /** The latest day of the releases that were known of the country and indicator. */
  readonly releasedOn: string
}

/**
 * No prediction is made for a period that ended this long before the release was recorded. Such a release loads history, and its
 * prediction would be no news. The limit admits every series of the bundled sample that was published in this decade.
 */
const STALE_AFTER_MONTHS = 72

/** Adds a release to `state`, in place. `endPublication` then tells what it means for predictions. */
export function takeRelease({ places, touched }: PredictionState, release: Release): void {
  const { series, period, figures, released_on, late, redates } = release
  if (late || !isPredictedSeries(series)) return
  const value = figures[servingOf(series.indicator).predicted.figure]
  if (value === undefined && !isWithdrawn(release)) return
  const key = keyOf(series)
  const place = places.get(key) ?? { tracks: [], day: '' }
  places.set(key, place)
  if (released_on > place.day) place.day = released_on
  let track = place.tracks.find((known) => known.series.id === series.id)
  if (!track) {
    track = { series, values: new Map(), newest: period }
    place.tracks.push(track)
    place.tracks.sort((a, b) => compareForServing(a.series, b.series))
  }
  // A better date is no news.
  if (redates !== null && track.values.get(period) === value) return
  if (value === undefined) {
    track.values.delete(period)
    track.newest = [...track.values.keys()].sort().at(-1) ?? track.newest
  } else {
    track.values.set(period, value)
    if (period > track.newest) track.newest = period
  }
  // A forecast does not depend on older periods.
  if (period > shiftPeriod(track.newest, -reachOf(series.frequency, 1))) touched.add(key)
}

/**
 * Ends a publication, whose last release was recorded at `at`, and returns what it changed, place by place. Updates
 * `state` in place.
 */
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

/**
 * Keeps the open predictions that are on record, of which `recorded` has the newest of each place, and drops the others: an
 * earlier release may have chosen other series, and a prediction that nobody was told is not scored. The next publication
 * of such a place makes one. Updates `state` in place.
 */
export function keepRecorded({ places }: PredictionState, recorded: Iterable<Prediction>): void {
  const byPlace = new Map(Array.from(recorded, (prediction) => [keyOf(prediction), prediction]))
  for (const [key, place] of places) {
    const { open } = place
    if (!open) continue
    const prediction = byPlace.get(key)
    if (prediction && isSame(prediction, open.prediction)) place.open = { ...open, prediction }
    else delete place.open
  }
}

function changeOf(place: Place, at: string): PredictionChange | undefined {
  const scored = scoreOf(place)
  const track = served(place)
  const next = track && predict(track, at)
  if (scored) delete place.open
  if (!next || (place.open && isSame(place.open.prediction, next)))
    return scored && { scored, current: scored, releasedOn: place.day }
  const seriesId = track.series.id
  // A score stays with the predictions of its own series, because it tells nothing about those of another.
  const before = place.open?.seriesId === seriesId ? place.open.prediction : scored
  const updated = { ...next, scored: before?.scored ?? null }
  place.open = { seriesId, prediction: updated }
  return { ...(scored ? { scored } : {}), updated, current: updated, releasedOn: place.day }
}

/** The open prediction with its score, once its own series has the figure. */
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

/** The series that answers requests for the latest period, chosen as in `FigureBoard.latest`. */
function served({ tracks }: Place): Track | undefined {
  for (const frequency of frequencyOrder) {
    const own = tracks.filter(({ series, values }) => series.frequency === frequency && values.size > 0)
    const newest = latest(...own.map((track) => track.newest))
    if (newest) return own.find((track) => track.newest === newest)
  }
  return undefined
}

/** Whether the figures of a series are predicted. Export totals are predicted only for countries whose totals are public. */
const isPredictedSeries = (series: Series): series is PredictedSeries =>
  isServed(series.indicator) && isPublic(series.indicator, series.country)

const isSame = (a: Prediction, b: Prediction): boolean =>
  (['period', 'value', 'lower', 'upper', 'unit', 'method'] as const).every((member) => a[member] === b[member])

const monthsBefore = (instant: string, months: number): string =>
  `${shiftPeriod(instant.slice(0, 7), -months)}${instant.slice(7, 10)}`

export const keyOf = ({ country, indicator }: { readonly country: string; readonly indicator: string }): string =>
  `${country}.${indicator}`
