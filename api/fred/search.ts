import { handler, type OperationInput } from '../execute.ts'
import type { Fields } from '../fields.ts'
import { encode, fileTypeOf } from './document.ts'
import { fieldsOf, listPartOf, today } from './fields.ts'
import type { FredDeps } from './read-real-time.ts'
import { factsOf, type SeriesFacts } from './series-facts.ts'
import { publicFigures } from './series-id.ts'

const known = [
  'search_text',
  'search_type',
  'order_by',
  'sort_order',
  'filter_variable',
  'filter_value',
  'limit',
  'offset',
]

const orders = [
  'search_rank',
  'series_id',
  'title',
  'units',
  'frequency',
  'seasonal_adjustment',
  'realtime_start',
  'realtime_end',
  'last_updated',
  'observation_start',
  'observation_end',
  'popularity',
] as const
const filters = ['frequency', 'units', 'seasonal_adjustment'] as const

/** Most series of one answer, as at FRED. */
const MAX_SERIES = 1_000

type Question = ReturnType<typeof questionOf>

/** Answers `series/search`: the series whose id and facts have all words of the text. */
export const searchHandler = (deps: FredDeps) =>
  handler<OperationInput, Question>({
    ask: questionOf,
    answer: ({ words, searchType, fileType, filter, page }) => {
      const window = today(deps.clock())
      const found = publicFigures(deps)
        .map((figure) => factsOf(figure, window))
        .filter((facts) => filter === undefined || facts[filter.variable] === filter.value)
        .filter((facts) => hasAll(searchType === 'series_id' ? facts.id : textOf(facts), words))
        .sort((a, b) => compare(page.orderBy, words, a, b))
      const entries = page.order === 'desc' ? found.reverse() : found
      return encode({ list: 'seriess', item: 'series', window, page, entries }, fileType)
    },
  })

function questionOf(input: OperationInput) {
  const fields = fieldsOf(input, known)
  const text = fields.required('search_text')
  const orderBy = fields.chosen('order_by', orders, 'search_rank')
  return {
    words: text.toLowerCase().split(/\s+/).filter(Boolean),
    searchType: fields.chosen('search_type', ['full_text', 'series_id'], 'full_text'),
    fileType: fileTypeOf(fields),
    filter: filterOf(fields),
    // The best come first, if nothing else is said.
    page: { ...listPartOf(fields, MAX_SERIES, orderBy === 'search_rank' ? 'desc' : 'asc'), orderBy },
  }
}

function filterOf(fields: Fields) {
  if (fields.get('filter_variable') === undefined && fields.get('filter_value') === undefined) return undefined
  const value = fields.required('filter_value')
  fields.required('filter_variable')
  return { variable: fields.chosen('filter_variable', filters, 'frequency'), value }
}

const textOf = ({ id, title, units, frequency, seasonal_adjustment, notes }: SeriesFacts): string =>
  [id, title, units, frequency, seasonal_adjustment, notes].join('\n')

const hasAll = (text: string, words: readonly string[]): boolean => {
  const lower = text.toLowerCase()
  return words.every((word) => lower.includes(word))
}

/** Order of two results, ascending. Those of the same rank have the reverse order of ids, because the best ones come last. */
function compare(orderBy: (typeof orders)[number], words: readonly string[], a: SeriesFacts, b: SeriesFacts): number {
  if (orderBy === 'search_rank') return rankOf(a, words) - rankOf(b, words) || (a.id < b.id ? 1 : -1)
  const [ofA, ofB] = orderBy === 'series_id' ? [a.id, b.id] : [a[orderBy], b[orderBy]]
  return ofA < ofB ? -1 : ofA > ofB ? 1 : a.id < b.id ? -1 : 1
}

/** How many words of the text are words of the title. */
function rankOf({ title }: SeriesFacts, words: readonly string[]): number {
  const own = new Set(title.toLowerCase().split(/[^\p{L}\p{N}]+/u))
  return words.filter((word) => own.has(word)).length
}
