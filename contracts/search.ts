import { Type } from '#typebox'
import { chargedProblems, literals, noParameters, type Operation } from './operation.ts'
import { AnyPeriod, CountryCode, nullable, strict } from './scalars.ts'

/** Search: finds figures and prices by what people call them, and says which of them are served. */

/** What a hit is. */
export const searchKinds = [
  'figures',
  'indicator',
  'series',
  'country',
  'commodity',
  'currency',
  'pair',
  'topic',
] as const
export type SearchKind = (typeof searchKinds)[number]

/** How a hit was found, the surest way first. */
const searchMatches = ['code', 'name', 'spelling', 'part'] as const
export type SearchMatch = (typeof searchMatches)[number]

const SearchHit = strict(
  {
    kind: Type.Unsafe<SearchKind>({
      ...literals(searchKinds),
      description:
        '`figures`: an indicator of a country; `series`: one series of a publisher; `pair`: a price or an exchange rate; `topic`: a statistic that is known and not served',
    }),
    name: Type.String({ description: 'Name in English' }),
    country: nullable(CountryCode),
    indicator: nullable(Type.String({ description: 'Indicator code, e.g. cpi' })),
    instrument: nullable(Type.String({ description: 'Code of a commodity or currency, or a pair as XAU-EUR' })),
    publishers_id: nullable(Type.String({ description: 'Id of the series or dataset at its publisher, e.g. UNRATE' })),
    series: nullable(Type.String({ description: 'Id of the series here; null if nothing of it is on record' })),
    is_served: Type.Boolean({ description: 'Whether `operation` answers with figures or prices of it now' }),
    frequencies: Type.Array(
      strict({
        frequency: Type.String({ description: 'A, Q or M: by year, quarter or month (SDMX CL_FREQ)' }),
        first_period: AnyPeriod,
        last_period: AnyPeriod,
      }),
      { description: 'The periods that are on record; empty for what is not figures of a country' },
    ),
    operation: nullable(Type.String({ description: 'Operation that reads it; null if none does' })),
    link: nullable(Type.String({ description: 'Address to read it; null if there is none' })),
    matched: Type.Unsafe<SearchMatch>({
      ...literals(searchMatches),
      description:
        'How it was found: by its `code`, by its whole `name` or a synonym, in another `spelling`, or by a `part` of its name',
    }),
    note: nullable(Type.String({ description: 'Why it is not served, and what is instead; null if it is' })),
  },
  { $id: 'SearchHit', description: 'Something that a search found' },
)
export type SearchHit = Type.Static<typeof SearchHit>

const SearchResult = strict(
  {
    query: Type.String({ description: 'The text as it was sent' }),
    hits: Type.Array(SearchHit, { description: 'The best hits, best first' }),
    hits_found: Type.Integer({ minimum: 0, description: 'Number of all hits, also of those beyond the limit' }),
    unknown_words: Type.Array(Type.String(), { description: 'Words of the text that no hit has' }),
  },
  { $id: 'SearchResult', description: 'What a text may mean, and what of it is served' },
)
export type SearchResult = Type.Static<typeof SearchResult>

export const searchOperationId = 'search'
const searchPath = '/v1/search'

/** Longest text that is searched for. */
export const MAX_SEARCH_LENGTH = 200
const DEFAULT_HITS = 10
const MAX_HITS = 100

/** Address that searches for a text. */
export const searchAddress = (text: string): string =>
  `${searchPath}?${new URLSearchParams({ q: text.slice(0, MAX_SEARCH_LENGTH) })}`

export const searchOperations: readonly Operation[] = [
  {
    id: searchOperationId,
    method: 'GET',
    path: searchPath,
    summary: 'Find figures and prices by name, synonym or a publisher’s id',
    description:
      'Says what a text such as "jobless rate Germany", "CPI Turkey", "UNRATE" or "gold in euro" means here, the best hit first: indicators of countries, series by their ids here and at their publishers (FRED, BLS, Eurostat and others), countries in words, commodities and currencies. Each hit says whether it is served, with which frequencies and periods, and the address and operation that read it. What is known but not served is a hit, too, and its note says what is served instead. Small typing errors are forgiven. Words that nothing explains are in `unknown_words`.',
    tag: 'Catalogue',
    access: 'charged',
    params: noParameters,
    query: strict({
      q: Type.String({
        minLength: 1,
        maxLength: MAX_SEARCH_LENGTH,
        description: 'What to look for, in words or as a code, e.g. jobless rate Germany, CPI Turkey or UNRATE',
      }),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: MAX_HITS, default: DEFAULT_HITS, description: 'Maximum number of hits' }),
      ),
    }),
    response: SearchResult,
    problems: chargedProblems,
  },
]
