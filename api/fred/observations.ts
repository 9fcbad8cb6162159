import { MAX_MATRIX_VALUES } from '../../contracts/operation.ts'
import {
  initialReleases,
  observationsByVintage,
  onDays,
  type RealTimeObservation,
  vintageDates,
  vintagesWithin,
  withinWindow,
} from '../../domain/real-time.ts'
import { compareText } from '../../domain/served-series.ts'
import { handler, type OperationInput } from '../execute.ts'
import type { Fields } from '../fields.ts'
import type { KeptAnswers } from '../kept-answers.ts'
import { invalidQuery } from '../refusals.ts'
import { inTurns, rowsATurn } from '../render.ts'
import { encode, fileTypeOf } from './document.ts'
import {
  allTime,
  fieldsOf,
  listPartOf,
  observationDays,
  today,
  vintageDaysOf,
  windowFields,
  windowOf,
} from './fields.ts'
import { type FredDeps, wantedObservations, wantedOf } from './read-real-time.ts'
import { figureOfId } from './series-id.ts'

const known = [
  'series_id',
  ...windowFields,
  'vintage_dates',
  'observation_start',
  'observation_end',
  'output_type',
  'units',
  'frequency',
  'aggregation_method',
  'limit',
  'offset',
  'sort_order',
]

/** Most observations of one answer, as at FRED. */
const MAX_OBSERVATIONS = 100_000

/** By real-time period, by vintage date, or initial releases only. FRED's type 3 is not served. */
const outputTypes = ['1', '2', '4'] as const

/** A value that is missing, as FRED writes it. */
export const MISSING = '.'

type Question = ReturnType<typeof questionOf>

/** Answers `series/observations`. */
export const observationsHandler = (deps: FredDeps, kept: KeptAnswers) =>
  handler<OperationInput, Question>({
    needsSlot: true,
    ask: (input) => questionOf(fieldsOf(input, known), deps.clock()),
    ...kept.keeping('observations', async (question: Question) => {
      const { window, days, wanted, outputType, fileType, page } = question
      const figure = figureOfId(deps, question.id)
      const all = await wantedObservations(deps, figure, question)
      const rows = outputType === '2' ? await rowsByVintage(question, figure.id, all) : rowsByPeriod(question, all)
      const entries = page.order === 'desc' ? rows.toSorted((a, b) => compareText(b.date, a.date)) : rows
      const head = {
        observation_start: days.start,
        observation_end: days.end,
        units: wanted.units,
        output_type: Number(outputType),
        file_type: fileType,
      }
      return encode({ list: 'observations', item: 'observation', window, head, page, entries }, fileType)
    }),
  })

function questionOf(fields: Fields, now: Date) {
  const outputType = fields.chosen('output_type', outputTypes, '1')
  const vintages = vintageDaysOf(fields, now)
  for (const name of windowFields) {
    if (vintages && fields.get(name) !== undefined)
      throw invalidQuery(`The variables vintage_dates and ${name} exclude each other. Set one of them.`)
  }
  const [first, last] = [vintages?.[0], vintages?.at(-1)]
  return {
    id: fields.required('series_id'),
    fileType: fileTypeOf(fields),
    outputType,
    // Initial releases of the present day alone would nearly always be none.
    window:
      first && last ? { start: first, end: last } : windowOf(fields, now, outputType === '4' ? allTime : today(now)),
    /** Days as of which the observations are read, instead of a window. */
    vintages,
    days: observationDays(fields, 'observation_start', 'observation_end'),
    wanted: wantedOf(fields),
    page: { ...listPartOf(fields, MAX_OBSERVATIONS), orderBy: 'observation_date' },
  }
}

type Row = { readonly date: string; readonly [member: string]: string }

function rowsByPeriod({ outputType, window, vintages }: Question, all: readonly RealTimeObservation[]): Row[] {
  return chosen().map(({ date, value, realtimeStart, realtimeEnd }) => ({
    realtime_start: realtimeStart,
    realtime_end: realtimeEnd,
    date,
    value: value ?? MISSING,
  }))

  function chosen(): RealTimeObservation[] {
    if (outputType === '1') return vintages ? onDays(all, vintages) : withinWindow(all, window)
    return initialReleases(all).filter(({ realtimeStart }) =>
      vintages ? vintages.includes(realtimeStart) : realtimeStart >= window.start && realtimeStart <= window.end,
    )
  }
}

async function rowsByVintage(
  { window, vintages }: Question,
  id: string,
  all: readonly RealTimeObservation[],
): Promise<Row[]> {
  const columns = vintages ?? vintagesWithin(vintageDates(all), window)
  const rows = observationsByVintage(all, columns)
  if (rows.length * columns.length > MAX_MATRIX_VALUES) {
    throw invalidQuery(
      `The answer would have ${rows.length} observations of ${columns.length} vintages, more than ${MAX_MATRIX_VALUES} values. Set observation_start and observation_end, or vintage_dates.`,
    )
  }
  const names = columns.map((column) => `${id}_${column.replaceAll('-', '')}`)
  const row = ({ date, values }: (typeof rows)[number]): Row => {
    const cells = values.map((value, i) => [names[i], value ?? MISSING])
    return { date, ...Object.fromEntries(cells) }
  }
  return inTurns(rows, row, rowsATurn(columns.length))
}
