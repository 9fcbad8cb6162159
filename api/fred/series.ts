import { ProblemError } from '../../contracts/problems.ts'
import { type DayWindow, vintageDates } from '../../domain/real-time.ts'
import { handler, type OperationInput } from '../execute.ts'
import { encode, type FileType, fileTypes } from './document.ts'
import { chosenField, fieldsOf, requiredField } from './fields.ts'
import { type FredDeps, readRealTimeObservations } from './read-real-time.ts'
import { factsOf, type SeriesFacts } from './series-facts.ts'
import { type FigureOfSeries, figureOfId } from './series-id.ts'
import { allTime, today, windowFields, windowOf } from './window.ts'

const known = ['series_id', ...windowFields]

type Question = {
  readonly id: string
  readonly fileType: FileType
  readonly window: DayWindow
  readonly isPast: boolean
}

/** Answers `series`: what the catalogue says of a series. */
export const seriesHandler = (deps: FredDeps) =>
  handler<OperationInput, Question>({
    needsSlot: true,
    ask: ({ query }) => {
      const fields = fieldsOf(query, known)
      const now = today(deps.clock())
      const window = windowOf(fields, deps.clock(), now)
      return {
        id: requiredField(fields, 'series_id'),
        fileType: chosenField(fields, 'file_type', fileTypes, 'xml'),
        window,
        isPast: window.end < now.end,
      }
    },
    answer: async ({ id, fileType, window, isPast }) => {
      const figure = figureOfId(deps, id)
      const facts = isPast ? await factsBy(deps, figure, window) : factsOf(figure, window)
      const head = { realtime_start: window.start, realtime_end: window.end }
      return encode({ list: 'seriess', item: 'series', head, entries: [facts] }, fileType)
    },
  })

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
