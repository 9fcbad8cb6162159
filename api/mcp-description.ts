import { exampleOf, examples } from './examples.ts'
import { inlined, type JsonSchema } from './json-schema.ts'
import { type KnownFigures, withValues } from './mcp-arguments.ts'
import type { Tool } from './mcp-tools.ts'

/** A tool as `tools/list` describes it. */
export type ToolDescription = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: JsonSchema & { readonly type: 'object' }
  readonly outputSchema?: JsonSchema & { readonly type: 'object' }
  readonly annotations: { readonly readOnlyHint: true; readonly openWorldHint: false }
}

/**
 * Describes a tool. The possible values of arguments come from the contracts and the figures on record. The casts: `inlined`
 * doesn't type the keywords of a schema, and those of an operation's parameters are an object's.
 */
export function descriptionOf(tool: Tool, figures: KnownFigures): ToolDescription {
  const { name, title, description, params, query, response } = tool
  const [path, search] = [inlined(params), inlined(query)]
  const schemas = { ...(path.properties as object), ...(search.properties as object) } as Record<string, JsonSchema>
  return {
    name,
    title,
    description,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(schemas).map(([argument, schema]) => [argument, withValues(tool, argument, schema, figures)]),
      ),
      required: [...((path.required as string[]) ?? []), ...((search.required as string[]) ?? [])],
      additionalProperties: false,
      examples: [exampleArguments(tool, schemas)],
    },
    ...(response ? { outputSchema: { ...inlined(response), type: 'object' } } : {}),
    annotations: { readOnlyHint: true, openWorldHint: false },
  }
}

/** The arguments of the operation's example. If it takes a period, that of the example's answer is added, to show the form. */
function exampleArguments({ example }: Tool, schemas: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const { params, query, body } = examples[example.operationId] ?? {}
  // Only bodies of figures have a period.
  const { period } = (body ?? {}) as { readonly period?: string }
  const given = Object.entries({
    ...example.arguments,
    ...params,
    ...(schemas.period && period ? { period } : {}),
    ...query,
  })
  return Object.fromEntries(given.map(([name, text]) => [name, exampleOf(schemas[name]?.type, text)]))
}
