import { sortOrders } from '../../contracts/transformations.ts'
import { type DayWindow, vintageDates } from '../../domain/real-time.ts'
import { handler, type OperationInput } from '../execute.ts'
import { encode, type FileType, fileTypes } from './document.ts'
import { chosenField, fieldsOf, integer, requiredField } from './fields.ts'
import { type FredDeps, readRealTimeObservations } from './read-real-time.ts'
import { figureOfId } from './series-id.ts'
import { allTime, windowFields, windowOf } from './window.ts'

const known = ['series_id', ...windowFields, 'limit', 'offset', 'sort_order']

/** Most dates of one answer, and the number without `limit`: FRED gives at most 10,000. */
const MAX_DATES = 100_000

type Question = {
  readonly id: string
  readonly fileType: FileType
  readonly window: DayWindow
  readonly limit: number
  readonly offset: number
  readonly order: 'asc' | 'desc'
}

/** Answers `series/vintagedates`: the days on which a value of the series was released, revised or withdrawn. */
export const vintageDatesHandler = (deps: FredDeps) =>
  handler<OperationInput, Question>({
    needsSlot: true,
    ask: ({ query }) => {
      const fields = fieldsOf(query, known)
      return {
        id: requiredField(fields, 'series_id'),
        fileType: chosenField(fields, 'file_type', fileTypes, 'xml'),
        window: windowOf(fields, deps.clock(), allTime),
        limit: integer(fields, 'limit', { least: 1, most: MAX_DATES, initial: MAX_DATES }),
        offset: integer(fields, 'offset', { least: 0, most: 999_999_999, initial: 0 }),
        order: chosenField(fields, 'sort_order', sortOrders, 'asc'),
      }
    },
    answer: async ({ id, fileType, window, limit, offset, order }) => {
      const dates = vintageDates(await readRealTimeObservations(deps, figureOfId(deps, id), allTime)).filter(
        (date) => date >= window.start && date <= window.end,
      )
      const head = {
        realtime_start: window.start,
        realtime_end: window.end,
        order_by: 'vintage_date',
        sort_order: order,
        count: dates.length,
        offset,
        limit,
      }
      const entries = (order === 'desc' ? dates.toReversed() : dates).slice(offset, offset + limit)
      return encode({ list: 'vintage_dates', item: 'vintage_date', head, entries }, fileType)
    },
  })
