import { vintageDates } from '../../domain/real-time.ts'
import { handler, type OperationInput } from '../execute.ts'
import { encode, fileTypeOf } from './document.ts'
import { allTime, fieldsOf, listPartOf, windowFields, windowOf } from './fields.ts'
import { type FredDeps, readRealTimeObservations } from './read-real-time.ts'
import { figureOfId } from './series-id.ts'

const known = ['series_id', ...windowFields, 'limit', 'offset', 'sort_order']

/** Most dates of one answer, and the number without `limit`: FRED gives at most 10,000. */
const MAX_DATES = 100_000

type Question = ReturnType<typeof questionOf>

/** Answers `series/vintagedates`: the days on which a value of the series was released, revised or withdrawn. */
export const vintageDatesHandler = (deps: FredDeps) =>
  handler<OperationInput, Question>({
    needsSlot: true,
    ask: (input) => questionOf(input, deps.clock()),
    answer: async ({ id, fileType, window, page }) => {
      const dates = vintageDates(await readRealTimeObservations(deps, figureOfId(deps, id), allTime)).filter(
        (date) => date >= window.start && date <= window.end,
      )
      const entries = page.order === 'desc' ? dates.toReversed() : dates
      return encode({ list: 'vintage_dates', item: 'vintage_date', window, page, entries }, fileType)
    },
  })

function questionOf(input: OperationInput, now: Date) {
  const fields = fieldsOf(input, known)
  return {
    id: fields.required('series_id'),
    fileType: fileTypeOf(fields),
    window: windowOf(fields, now, allTime),
    page: { ...listPartOf(fields, MAX_DATES), orderBy: 'vintage_date' },
  }
}
