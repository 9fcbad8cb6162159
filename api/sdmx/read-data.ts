/** Reads the observations that a request selects. */

import { countries } from '../../contracts/countries.ts'
import { indicators, isPublic, neededFigures } from '../../contracts/indicators.ts'
import type { Series } from '../../contracts/records.ts'
import { type AnswerOfKind, answersByKind } from '../../domain/answers-by-kind.ts'
import { type HistoryRow, historyRow } from '../../domain/history-row.ts'
import { answeredFigures } from '../../domain/panel.ts'
import { periodsWithin } from '../../domain/period-range.ts'
import type { ApiDeps } from '../deps.ts'
import { historyRange } from '../history-range.ts'
import { readPrintsInForce } from '../prints-in-force.ts'
import { tooLarge } from '../refusals.ts'
import type { DataQuestion } from './data-question.ts'
import { dimensionsOf } from './flows.ts'
import { admitsKey, namedCodes, seriesKeyOf } from './key.ts'

/** A value of a period in a series of the flow. */
export type FlowObservation = {
  /** Codes in the order of the flow's dimensions. */
  readonly key: readonly string[]
  /** A series of the catalogue with this key, from which the attributes of the series follow. */
  readonly of: Series
  readonly period: string
  /** Null if no value of this key answers any more. */
  readonly value: string | null
  /** Id of the series of the catalogue that the value is from, or by which the one before ended. */
  readonly series: string
  readonly releasedOn: string
  readonly releasedOnBasis: string
  /** Days between which the value answered, where they were asked for; the last one is open if it still does. */
  readonly validFrom?: string
  readonly validTo?: string | undefined
}

type Deps = Pick<ApiDeps, 'history'>
type Found = Omit<FlowObservation, 'key' | 'of'>
type Answer = NonNullable<Awaited<ReturnType<Deps['history']['vintages']>>>[number]

/** Most answers over time that are read for one request. */
const MAX_READ = 300_000

/** Reads the current values, or those of the day that is asked for; if the question is about their history, all of them. */
export async function readData({ history }: Deps, question: DataQuestion): Promise<FlowObservation[]> {
  const { flow, selection, months, asOf, updatedAfter, hasHistory } = question
  const { indicator } = flow
  const all = await history.seriesOfMany(namedCodes(selection, 'REF_AREA') ?? countries.map(({ alpha3 }) => alpha3), [
    indicator,
  ])
  const known = all.filter(
    ({ country, frequency }) =>
      isPublic(indicator, country) && admitsKey(selection, { REF_AREA: country, FREQ: frequency }),
  )
  if (known.length === 0) return []
  const snapshot = Math.max(...known.map(({ newest }) => newest))
  const isOverTime = flow.hasVintages || hasHistory || updatedAfter !== ''
  const cells = Map.groupBy(known, ({ country, frequency }) => `${country} ${frequency}`)
  const rows = [...cells.values()].flatMap(
    (cell) => historyRow(cell, { frequency: '', asOf: isOverTime ? '' : asOf }) ?? [],
  )
  const figures: string[] = indicators[indicator].figures.filter((figure) => admitsKey(selection, { MEASURE: figure }))
  if (isOverTime) return readOverTime(history, rows, { ...question, figures, snapshot })

  const prints = await readPrintsInForce(history, rows, { snapshot, asOf, months })
  return rows.flatMap(({ series }) => {
    const selected = selectorOf(question, series, figures)
    const ofRow = series.flatMap(({ id }, i) => (prints.get(id) ?? []).map((print) => ({ ...print, place: i + 1 })))
    return answeredFigures(ofRow, { figures, needed: neededFigures(indicator) }).flatMap(
      ({ number, place, period, value, released_on, released_on_basis }) =>
        selected(number, place, {
          period,
          value,
          series: series[place - 1]?.id ?? '',
          releasedOn: released_on,
          releasedOnBasis: released_on_basis,
        }),
    )
  })
}

type OverTime = DataQuestion & { readonly figures: readonly string[]; readonly snapshot: number }

/** Reads the answers over time, row by row. */
async function readOverTime(
  history: Deps['history'],
  rows: readonly HistoryRow[],
  question: OverTime,
): Promise<FlowObservation[]> {
  const { flow, months, asOf, figures, snapshot } = question
  const observations: FlowObservation[] = []
  let read = 0
  for (const { series } of rows) {
    const [first] = series
    if (!first) continue
    const answers = await history.vintages({
      ...historyRange(flow.indicator, { series, snapshot }, figures),
      ...periodsWithin(first.frequency, months),
      after: null,
      limit: MAX_READ + 1 - read,
    })
    if (!answers) throw new Error('a history without a place to go on from has none that is unknown')
    read += answers.length
    if (read > MAX_READ) {
      throw tooLarge(
        `More than ${MAX_READ} values over time would have to be read. Ask for fewer countries, or for a range of periods.`,
      )
    }
    const byThen = asOf === '' ? answers : answers.filter(({ valid_from }) => valid_from <= asOf)
    const selected = selectorOf(question, series, figures)
    const kinds = series.map(kindOfKey)
    for (const one of answersByKind(byThen, ({ place }) => kinds[place - 1] ?? '')) {
      if (!isWanted(one, question)) continue
      // The key is that of the kind, also where another series ended the value.
      const place = kinds.indexOf(one.kind) + 1
      observations.push(...selected(one.answer.number, place, foundOf(one, series)))
    }
  }
  return observations

  function kindOfKey(series: Series): string {
    const { ADJUSTMENT, UNIT_MEASURE } = seriesKeyOf(flow, series, '')
    return `${ADJUSTMENT} ${UNIT_MEASURE}`
  }
}

/** Whether an answer is asked for: what changed since a day is, without a history, the newest answer only. */
const isWanted = (one: AnswerOfKind<Answer>, { flow, hasHistory, updatedAfter }: DataQuestion): boolean =>
  one.validFrom >= updatedAfter && (flow.hasVintages || hasHistory || one.validTo === undefined)

const foundOf = ({ answer, value, validFrom, validTo }: AnswerOfKind<Answer>, series: readonly Series[]): Found => ({
  period: answer.period,
  value,
  series: series[answer.place - 1]?.id ?? '',
  releasedOn: answer.released_on,
  releasedOnBasis: answer.released_on_basis,
  validFrom,
  validTo,
})

/** Gives what was found of a figure of the series at a place its key; nothing if the key is not selected. */
function selectorOf(
  { flow, selection }: DataQuestion,
  series: readonly Series[],
  figures: readonly string[],
): (number: number, place: number, found: Found) => FlowObservation[] {
  const keys = series.map((of) =>
    figures.map((figure) => {
      const key = seriesKeyOf(flow, of, figure)
      const codes = dimensionsOf(flow).flatMap((dimension) => key[dimension] ?? [])
      return admitsKey(selection, key) ? { of, codes } : undefined
    }),
  )
  return (number, place, found) => {
    const own = keys[place - 1]?.[number - 1]
    if (!own) return []
    const { validFrom } = found
    if (!flow.hasVintages || validFrom === undefined) return [{ ...found, of: own.of, key: own.codes }]
    return admitsKey(selection, { VALID_FROM: validFrom })
      ? [{ ...found, of: own.of, key: [...own.codes, validFrom] }]
      : []
  }
}
