import { type Operation, operations } from '../contracts/operations.ts'
import { problems } from '../contracts/problems.ts'
import { inlined, type JsonSchema } from './json-schema.ts'

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

/** An operation as a tool: its path and query parameters are the arguments, its REST body is what it gives. */
export const toolOf = ({ id, summary, params, query, response, problems: codes }: Operation): ToolDescription => {
  const [path, search] = [inlined(params), inlined(query)]
  return {
    name: id,
    title: summary,
    description: `${summary}. Can end in: ${codes.map((code) => `${code} (${problems[code].title})`).join(', ')}.`,
    inputSchema: {
      type: 'object',
      properties: { ...(path.properties as object), ...(search.properties as object) },
      required: [...((path.required as string[]) ?? []), ...((search.required as string[]) ?? [])],
      additionalProperties: false,
    },
    outputSchema: { ...inlined(response), type: 'object' },
    annotations: { readOnlyHint: true, openWorldHint: false },
  }
}
