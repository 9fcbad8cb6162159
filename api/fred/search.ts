import { sortOrders } from '../../contracts/transformations.ts'
import { handler, type OperationInput } from '../execute.ts'
import { encode, type FileType, fileTypes } from './document.ts'
import { chosenField, type Fields, fieldsOf, integer, requiredField } from './fields.ts'
import type { FredDeps } from './read-real-time.ts'
import { factsOf, type SeriesFacts } from './series-facts.ts'
import { publicFigures } from './series-id.ts'
import { today } from './window.ts'

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

type Question = {
  readonly words: readonly string[]
  readonly searchType: 'full_text' | 'series_id'
  readonly fileType: FileType
  readonly orderBy: (typeof orders)[number]
  readonly order: 'asc' | 'desc'
  readonly filter: { readonly variable: (typeof filters)[number]; readonly value: string } | undefined
  readonly limit: number
  readonly offset: number
}

/** Answers `series/search`: the series whose id and facts have all words of the text. */
export const searchHandler = (deps: FredDeps) =>
  handler<OperationInput, Question>({
    ask: ({ query }) => questionOf(fieldsOf(query, known)),
    answer: (question) => {
      const { words, searchType, fileType, orderBy, order, filter, limit, offset } = question
      const window = today(deps.clock())
      const found = publicFigures(deps)
        .map((figure) => factsOf(figure, window))
        .filter((facts) => filter === undefined || facts[filter.variable] === filter.value)
        .filter((facts) => hasAll(searchType === 'series_id' ? facts.id : textOf(facts), words))
        .sort((a, b) => compare(orderBy, words, a, b))
      const head = {
        realtime_start: window.start,
        realtime_end: window.end,
        order_by: orderBy,
        sort_order: order,
        count: found.length,
        offset,
        limit,
      }
      const entries = (order === 'desc' ? found.reverse() : found).slice(offset, offset + limit)
      return encode({ list: 'seriess', item: 'series', head, entries }, fileType)
    },
  })

function questionOf(fields: Fields): Question {
  const text = requiredField(fields, 'search_text')
  const orderBy = chosenField(fields, 'order_by', orders, 'search_rank')
  return {
    words: text.toLowerCase().split(/\s+/).filter(Boolean),
    searchType: chosenField(fields, 'search_type', ['full_text', 'series_id'], 'full_text'),
    fileType: chosenField(fields, 'file_type', fileTypes, 'xml'),
    orderBy,
    // The best come first, if nothing else is said.
    order: chosenField(fields, 'sort_order', sortOrders, orderBy === 'search_rank' ? 'desc' : 'asc'),
    filter: filterOf(fields),
    limit: integer(fields, 'limit', { least: 1, most: MAX_SERIES, initial: MAX_SERIES }),
    offset: integer(fields, 'offset', { least: 0, most: 999_999_999, initial: 0 }),
  }
}

function filterOf(fields: Fields): Question['filter'] {
  const { filter_variable, filter_value } = fields
  if (filter_variable === undefined && filter_value === undefined) return undefined
  const value = requiredField(fields, 'filter_value')
  requiredField(fields, 'filter_variable')
  return { variable: chosenField(fields, 'filter_variable', filters, 'frequency'), value }
}

const textOf = ({ id, title, units, frequency, seasonal_adjustment, notes }: SeriesFacts): string =>
  [id, title, units, frequency, seasonal_adjustment, notes].join('\n')

const hasAll = (text: string, words: readonly string[]): boolean => {
  const lower = text.toLowerCase()
  return words.every((word) => lower.includes(word))
}

/** Order of two results, ascending. Those of the same rank have the reverse order of ids, because the best ones come last. */
function compare(orderBy: Question['orderBy'], words: readonly string[], a: SeriesFacts, b: SeriesFacts): number {
  if (orderBy === 'search_rank') return rankOf(a, words) - rankOf(b, words) || (a.id < b.id ? 1 : -1)
  const [ofA, ofB] = orderBy === 'series_id' ? [a.id, b.id] : [a[orderBy], b[orderBy]]
  return ofA < ofB ? -1 : ofA > ofB ? 1 : a.id < b.id ? -1 : 1
}

/** How many words of the text are words of the title. */
function rankOf({ title }: SeriesFacts, words: readonly string[]): number {
  const own = new Set(title.toLowerCase().split(/[^\p{L}\p{N}]+/u))
  return words.filter((word) => own.has(word)).length
}
