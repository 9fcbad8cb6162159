/** JSON Schema 2020-12, as far as it is looked into here. */
export type JsonSchema = { readonly [keyword: string]: unknown }

/** What becomes of a schema that has a name of its own, inside another. */
type Named = (id: string, schema: JsonSchema) => JsonSchema | undefined

/** A copy as plain JSON; a union of texts is written as an enum, which every reader understands. */
function copy(schema: unknown, named: Named, root = false): unknown {
  if (Array.isArray(schema)) return schema.map((item) => copy(item, named))
  if (typeof schema !== 'object' || schema === null) return schema
  const { $id, ...keywords } = schema as JsonSchema
  const replaced = root || typeof $id !== 'string' ? undefined : named($id, schema as JsonSchema)
  if (replaced) return replaced
  const texts = textsOf(keywords.anyOf)
  if (texts) {
    const { anyOf: _, ...others } = keywords
    return { ...others, type: 'string', enum: texts }
  }
  return Object.fromEntries(Object.entries(keywords).map(([keyword, value]) => [keyword, copy(value, named)]))
}

function textsOf(anyOf: unknown): readonly unknown[] | undefined {
  if (!Array.isArray(anyOf)) return undefined
  const texts = anyOf.map((member: JsonSchema) => member.const)
  return texts.every((text) => typeof text === 'string') ? texts : undefined
}

/** The schema in one piece, without names: two such schemas can be compiled side by side. */
export const inlined = (schema: object): JsonSchema => copy(schema, () => undefined, true) as JsonSchema

/** The schema with a reference wherever it holds a named one; `found` is told of each. */
export function referring(schema: object, found: (id: string, schema: JsonSchema) => void, root = false): JsonSchema {
  const reference: Named = (id, inner) => {
    found(id, inner)
    return { $ref: `#/components/schemas/${id}` }
  }
  return copy(schema, reference, root) as JsonSchema
}
