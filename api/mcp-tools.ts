import type Type from 'typebox'
import type { Operation } from '../contracts/operation.ts'
import { operations } from '../contracts/operations.ts'
import { type ProblemCode, problems } from '../contracts/problems.ts'
import { strict } from '../contracts/scalars.ts'
import { exampleOf, examples } from './examples.ts'
import { inlined, type JsonSchema } from './json-schema.ts'
import { type KnownFigures, withValues } from './mcp-arguments.ts'

/** A tool as `tools/list` describes it. */
export type ToolDescription = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: JsonSchema & { readonly type: 'object' }
  readonly outputSchema: JsonSchema & { readonly type: 'object' }
  readonly annotations: { readonly readOnlyHint: true; readonly openWorldHint: false }
}

/**
 * The operations that are tools: those that read and answer in JSON. Creating a ticket is none, because a ticket is for a page of an origin, and
 * a secret that should not be in a model's context.
 */
export const toolOperations: readonly Operation[] = operations
  .filter(({ method, mediaType }) => method === 'GET' && mediaType === undefined)
  .map((operation) => ({ ...operation, query: withoutFormat(operation.query) }))

/** A tool's result is its structured content, so a tool takes no `format`. */
function withoutFormat(query: Type.TObject): Type.TObject {
  if (!('format' in query.properties)) return query
  const { format, ...properties } = query.properties
  return strict(properties)
}

/** Instructions for a model, for all tools: how codes, periods and figures are written, and what a failure contains. */
export const instructions = [
  'Official economic figures with every revision, and current market prices.',
  'Countries are ISO 3166-1 alpha-3 codes (USA, not US), currencies ISO 4217 codes.',
  'A period is a year (2026), a quarter (2026-Q3) or a month (2026-09); each tool says which it takes. Without a period it returns the latest figure.',
  'Figures are decimal strings: keep them exact. `released_on` is when a figure was published.',
  'A failed call returns its code, what is served instead, and what to do.',
].join(' ')

/**
 * Describes an operation as a tool. Its path and query parameters are the arguments, its REST body is the result. The possible
 * values of arguments come from the contracts and the figures on record. The casts: `inlined` doesn't type the keywords of
 * a schema, and those of an operation's parameters are an object's.
 */
export function toolOf(operation: Operation, figures: KnownFigures): ToolDescription {
  const { id, summary, description, params, query, response } = operation
  const [path, search] = [inlined(params), inlined(query)]
  const schemas = { ...(path.properties as object), ...(search.properties as object) } as Record<string, JsonSchema>
  const example = exampleArguments(id, schemas)
  return {
    name: id,
    title: summary,
    description: [
      `${summary}. ${description}`,
      `Example arguments: ${JSON.stringify(example)}`,
      ...failures(operation),
    ].join('\n'),
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(schemas).map(([name, schema]) => [name, withValues(operation, name, schema, figures)]),
      ),
      required: [...((path.required as string[]) ?? []), ...((search.required as string[]) ?? [])],
      additionalProperties: false,
      examples: [example],
    },
    outputSchema: { ...inlined(response), type: 'object' },
    annotations: { readOnlyHint: true, openWorldHint: false },
  }
}

/** The arguments of the operation's example. If it takes a period, that of the example's answer is added, to show the form. */
function exampleArguments(id: string, schemas: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const { params, query, body } = examples[id] ?? {}
  // Only bodies of figures have a period.
  const { period } = (body ?? {}) as { readonly period?: string }
  const given = Object.entries({ ...params, ...(schemas.period && period ? { period } : {}), ...query })
  return Object.fromEntries(given.map(([name, text]) => [name, exampleOf(schemas[name]?.type, text)]))
}

/** Problems that a tool's description leaves out, because their answers explain themselves. */
const selfExplanatory: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  ...(['invalid_path', 'invalid_query', 'unauthorized', 'rate_limited', 'quota_exhausted', 'unavailable'] as const),
])

function failures({ problems: codes }: Operation): string[] {
  const own = codes.filter((code) => !selfExplanatory.has(code))
  return own.length === 0 ? [] : [`Fails with ${own.map((code) => `${code} (${problems[code].title})`).join(', ')}`]
}
