import type { Type } from '#typebox'
import {
  observationsOperationId,
  specifiedExportsHistory,
  vintagesOperationId,
} from '../contracts/history-operations.ts'
import { indicators, type ServedIndicator, servedIndicators, servingOf } from '../contracts/indicators.ts'
import { formParameters, literals, type Operation } from '../contracts/operation.ts'
import { operationById, operations } from '../contracts/operations.ts'
import { ProblemError } from '../contracts/problems.ts'
import { strict } from '../contracts/scalars.ts'
import { unknownIndicator } from './filters.ts'
import { withPages } from './mcp-pages.ts'
import { HISTORIES, toolTexts, VINTAGES } from './mcp-texts.ts'

/** The operations as MCP tools: which tools there are, and which operation answers a call. */

export type Tool = {
  readonly name: string
  readonly title: string
  /** What a model reads to choose the tool: its purpose, and what it cannot know of the answer. */
  readonly description: string
  readonly params: Type.TObject
  readonly query: Type.TObject
  /** Schema of the structured content. Absent: the answer is text alone. */
  readonly response?: Type.TSchema
  /** The indicators of which the argument `country` names a country with figures. */
  readonly indicators: readonly ServedIndicator[]
  /** The operation whose example is the tool's, and what it lacks of the tool's arguments. */
  readonly example: { readonly operationId: string; readonly arguments?: Readonly<Record<string, string>> }
  /** The operation that answers a call, and its arguments. Throws `invalid_query` if the call does not say which. */
  answeredBy(given: Arguments): Call
}

export type Arguments = Readonly<Record<string, unknown>>
type Call = { readonly operation: Operation; readonly given: Arguments }

const latest: ReadonlyMap<string, ServedIndicator> = new Map(
  servedIndicators.map((indicator) => [servingOf(indicator).operationId, indicator]),
)
/** The history of exports is in the interface specification. The others, and the vintages, share a tool each. */
const exportsHistory = observationsOperationId('trade-exports')
const histories: ReadonlySet<string> = new Set(
  servedIndicators.flatMap((indicator) => [observationsOperationId(indicator), vintagesOperationId(indicator)]),
)

/**
 * Tools for the endpoints of the interface specification. Their names, arguments and schemas of answers stay as they are. The
 * other tools have no schema of their answers: all of them would be most of what a model reads before its first question.
 */
const specified: ReadonlySet<string> = new Set([
  ...['health_health_get', ...latest.keys(), exportsHistory],
  ...['commodities_get_spot', 'fx_get_rates', 'events_list', 'events_get'],
])

/** A tool's result is JSON, so a tool takes no parameters of CSV. */
function withoutCsv(operation: Operation): Operation {
  if (!operation.hasCsv) return operation
  const properties = Object.entries(operation.query.properties).filter(([name]) => !formParameters.has(name))
  return { ...operation, query: strict(Object.fromEntries(properties)) }
}

function toolOf(reading: Operation): Tool {
  const operation = withPages(
    reading.id === exportsHistory ? { ...reading, ...specifiedExportsHistory } : withoutCsv(reading),
  )
  const { id, summary, description, params, query, response } = operation
  const indicator = id === exportsHistory ? 'trade-exports' : latest.get(id)
  return {
    name: id,
    title: summary,
    description: latest.has(id) && indicator ? latestText(indicator) : `${summary}. ${toolTexts[id] ?? description}`,
    params,
    query,
    ...(specified.has(id) ? { response } : {}),
    indicators: indicator ? [indicator] : [],
    example: { operationId: id },
    answeredBy: (given) => ({ operation, given }),
  }
}

const latestText = (indicator: ServedIndicator): string =>
  `${indicators[indicator].summary}: the latest figure, or that of one period. ${servingOf(indicator).description} For many periods use ${HISTORIES}, for revisions ${VINTAGES}.`

/** One tool in place of an operation for each indicator. */
function toolForAll(name: string, title: string, idOf: (indicator: ServedIndicator) => string): Tool {
  const answering = new Map<string, Operation>(
    servedIndicators.map((indicator) => [indicator, withoutCsv(operationById(idOf(indicator)))]),
  )
  // Unemployment is served in every frequency, so it takes what any of them does.
  const operationId = idOf('unemployment')
  const { params, query } = withoutCsv(operationById(operationId))
  const indicator = { ...literals(servedIndicators), description: 'Which indicator' }
  return {
    name,
    title,
    description: `${title}. ${toolTexts[name]}`,
    params: strict({ indicator, ...params.properties }),
    query,
    indicators: servedIndicators,
    example: { operationId, arguments: { indicator: 'unemployment' } },
    answeredBy({ indicator, ...given }) {
      if (typeof indicator !== 'string') throw new ProblemError('invalid_query', 'argument indicator is missing')
      const operation = answering.get(indicator)
      if (!operation) throw unknownIndicator(indicator, servedIndicators)
      return { operation, given }
    },
  }
}

/**
 * What tools do: the operations that read and answer in JSON. Creating a ticket is no tool, because a ticket is for a page of
 * an origin, and a secret that should not be in a model's context.
 */
const readings = operations.filter(({ method, mediaType }) => method === 'GET' && mediaType === undefined)
export const tools: readonly Tool[] = [
  ...readings.filter(({ id }) => specified.has(id)).map(toolOf),
  toolForAll(HISTORIES, 'History of an indicator of a country', observationsOperationId),
  toolForAll(VINTAGES, 'First prints and revisions of an indicator of a country', vintagesOperationId),
  ...readings.filter(({ id }) => !specified.has(id) && !histories.has(id)).map(toolOf),
]

/** Instructions for a model, for all tools: how codes, periods and figures are written, and what a failure contains. */
export const instructions = [
  'Official economic figures with every revision, and current market prices.',
  'Countries are ISO 3166-1 alpha-3 codes (USA, not US), currencies ISO 4217 codes.',
  'A period is a year (2026), a quarter (2026-Q3) or a month (2026-09); each tool says which it takes. Without a period it returns the latest figure.',
  'Figures are decimal strings: keep them exact. `released_on` is when a figure was published.',
  'Lists come in short pages: narrow the question, pass `next_cursor` as cursor, or ask for more by `limit`.',
  'A failed call returns its code, what is served instead, and what to do.',
].join(' ')
