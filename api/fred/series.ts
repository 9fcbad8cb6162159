import { ProblemError } from '../../contracts/problems.ts'
import { type DayWindow, vintageDates } from '../../domain/real-time.ts'
import { handler, type OperationInput } from '../execute.ts'
import { encode, fileTypeOf } from './document.ts'
import { allTime, fieldsOf, today, windowFields, windowOf } from './fields.ts'
import { type FredDeps, readRealTimeObservations } from './read-real-time.ts'
import { factsOf, type SeriesFacts } from './series-facts.ts'
import { type FigureOfSeries, figureOfId } from './series-id.ts'

const known = ['series_id', ...windowFields]

type Question = ReturnType<typeof questionOf>

/** Answers `series`: what the catalogue says of a series. */
export const seriesHandler = (deps: FredDeps) =>
  handler<OperationInput, Question>({
    needsSlot: true,
    ask: (input) => questionOf(input, deps.clock()),
    answer: async ({ id, fileType, window, isPast }) => {
      const figure = figureOfId(deps, id)
      const facts = isPast ? await factsBy(deps, figure, window) : factsOf(figure, window)
      return encode({ list: 'seriess', item: 'series', window, entries: [facts] }, fileType)
    },
  })

function questionOf(input: OperationInput, now: Date) {
  const fields = fieldsOf(input, known)
  const current = today(now)
  const window = windowOf(fields, now, current)
  return { id: fields.required('series_id'), fileType: fileTypeOf(fields), window, isPast: window.end < current.end }
}

/** The facts as they were by the end of a past window. The catalogue has only those of today. */
async function factsBy(deps: FredDeps, figure: FigureOfSeries, window: DayWindow): Promise<SeriesFacts> {
  const values = await readRealTimeObservations(deps, figure, allTime)
  const released = values.filter(({ realtimeStart }) => realtimeStart <= window.end)
  const [first, last] = [released[0], released.at(-1)]
  if (!first || !last) {
    throw new ProblemError(
      'no_complete_publication',
      `The series ${figure.id} did not exist by ${window.end}: no value on record was released by then.`,
    )
  }
  const lastUpdated = `${vintageDates(released).at(-1)} 00:00:00+00`
  const span = { observation_start: first.date, observation_end: last.date, last_updated: lastUpdated }
  return { ...factsOf(figure, window), ...span }
}
