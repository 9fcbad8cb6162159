import { Type } from '#typebox'
import type { ProblemCode } from './problems.ts'
import { CountryCode, nullable, strict } from './scalars.ts'

/**
 * An operation: its address, its parameters, its answer and its problems. Routes, OpenAPI, MCP tools and the tests that
 * compare them are made from the table `operations` (`operations.ts`).
 */
export type Operation = {
  readonly id: string
  readonly method: 'GET' | 'POST'
  /** Path with {parameters}, as OpenAPI writes it. */
  readonly path: string
  readonly summary: string
  /** The purpose of the operation, the meaning of its answer and what it does not serve, in whole sentences. */
  readonly description: string
  readonly tag: string
  /** `none`: open. `key`: bearer key, not charged. `charged`: bearer key, one call of the monthly quota. */
  readonly access: 'none' | 'key' | 'charged'
  readonly params: Type.TObject
  readonly query: Type.TObject
  /** The JSON body of the request; absent if there is none. */
  readonly body?: Type.TObject
  readonly response: Type.TSchema
  /**
   * Whether the list in the body is also served as CSV, one row for each entry. Such an operation takes the query
   * parameters `csvParameters`, and its handler answers with `render.csv` if its input has `csv`.
   */
  readonly hasCsv?: true
  /** Set if the answer is text of this media type instead of JSON. Such an operation is no MCP tool. */
  readonly mediaType?: 'text/calendar' | 'text/csv' | 'application/x-ndjson'
  /** The media types of the answer by the values of the query parameter `format`, that for clients without a preference first. */
  readonly forms?: Readonly<Record<string, FormType>>
  /** Whether the answer is sent while it is being read. It then has no ETag and is never 304. */
  readonly isStreamed?: true
  /** Whether the answer can only be of now. Such an operation is not served as of a day, below `/asof/{day}`. */
  readonly isOfNow?: true
  readonly problems: readonly ProblemCode[]
}

type FormType = 'text/csv' | 'application/vnd.apache.parquet' | 'application/vnd.apache.arrow.stream'

/** Whether an operation is also served as of a day, below `/asof/{day}`. */
export const isDatable = ({ method, isOfNow }: Operation): boolean => method === 'GET' && isOfNow !== true

export const noParameters = strict({})
/** Problems of every operation that is charged. */
export const chargedProblems = [
  'invalid_path',
  'invalid_query',
  'unauthorized',
  'rate_limited',
  'quota_exhausted',
  'unavailable',
] as const
export const countryParameter = strict({ country: CountryCode })

/** A query parameter that may be repeated. */
export const repeatable = (item: Type.TSchema, description: string) =>
  Type.Optional(Type.Array(item, { minItems: 1, maxItems: 64, description }))
export const limitParameter = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: 'Maximum number of entries on the page' }),
)
export const cursorParameter = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 512,
    description:
      'The next_cursor of the previous page. Send it alone or with the same start and end; any limit is allowed',
  }),
)

/** The member of a page that continues it. */
export const NextCursor = nullable(Type.String({ description: 'Pass as `cursor` for the next page; null on the last' }))

export const literals = <const L extends readonly string[]>(list: L) =>
  Type.Union(list.map((item) => Type.Literal(item)))

/** Most rows of a CSV answer without limit. A longer list is refused with the range to ask for. */
export const MAX_CSV_ROWS = 100_000
/** Most values of one answer with a column for each vintage. */
export const MAX_MATRIX_VALUES = 500_000

/** Styles of CSV, with what separates the fields and the places of a decimal. */
const csvStyles = ['comma', 'semicolon'] as const
export type CsvStyle = (typeof csvStyles)[number]

export const csvStyleParameter = Type.Optional({
  ...literals(csvStyles),
  description:
    'Style of CSV. comma: RFC 4180, the default; semicolon: fields separated by semicolons and decimals with a comma, as spreadsheets of many languages expect',
})

/** The query parameters of an operation that is also served as CSV. */
export const csvParameters = {
  format: Type.Optional({
    ...literals(['json', 'csv']),
    description:
      'Form of the answer. Left out: CSV if csv_style or layout is given, else what the Accept header prefers, else JSON. CSV without limit has all entries in one answer',
  }),
  csv_style: csvStyleParameter,
}

const layouts = ['long', 'matrix'] as const
export type Layout = (typeof layouts)[number]

export const layoutParameter = Type.Optional({
  ...literals(layouts),
  description: `CSV for programs that analyse revisions, with all entries in one answer, so without limit and cursor. long: \`time,pub_date,value,id\`, a row for each value and the day on which it was released; matrix: a row for each period, and for each day on which something changed a column with the value as of it, at most ${MAX_MATRIX_VALUES} values. \`time\` is the first day of the period, \`id\` the series, and a value that another series or a withdrawal ended is empty`,
})

/** Parameters that choose another form of the answer than JSON. */
export const formParameters: ReadonlySet<string> = new Set([...Object.keys(csvParameters), 'layout'])
