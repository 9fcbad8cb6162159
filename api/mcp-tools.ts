import { type Operation, operations } from '../contracts/operations.ts'
import { type ProblemCode, problems } from '../contracts/problems.ts'
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
 * The operations that are tools: those that read. A ticket is for a page and its origin, not for the model that asked,
 * and a secret that is better not in its context.
 */
export const toolOperations: readonly Operation[] = operations.filter(({ method }) => method === 'GET')

/** What a model needs to know of all tools: how codes, periods and figures are written, and what a failure says. */
export const instructions = [
  'Official economic figures with every revision, and current market prices.',
  'Countries are ISO 3166-1 alpha-3 codes (USA, not US), currencies ISO 4217 codes.',
  'A period is a year (2026), a quarter (2026-Q3) or a month (2026-09); each tool says which it takes, and answers the latest without one.',
  'Figures are decimal strings: keep them exact. `released_on` is when a figure was published.',
  'A failed call says its code, what is served instead, and what to do.',
].join(' ')

/**
 * An operation as a tool: its path and query parameters are the arguments, its REST body is what it gives. The values that
 * arguments take come from the contracts and the figures on record.
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

/** The call of the operation's example, with the period of its answer where one can be asked for: it shows the form. */
function exampleArguments(id: string, schemas: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const { params, query, body } = examples[id] ?? {}
  const { period } = { ...body } as { readonly period?: string }
  const given = Object.entries({ ...params, ...(schemas.period && period ? { period } : {}), ...query })
  return Object.fromEntries(given.map(([name, text]) => [name, exampleOf(schemas[name]?.type, text)]))
}

/** Problems of which the answer itself says all there is to say. */
const plain: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  ...(['invalid_path', 'invalid_query', 'unauthorized', 'rate_limited', 'quota_exhausted', 'unavailable'] as const),
])

function failures({ problems: codes }: Operation): string[] {
  const own = codes.filter((code) => !plain.has(code))
  return own.length === 0 ? [] : [`Fails with ${own.map((code) => `${code} (${problems[code].title})`).join(', ')}`]
}
