/** A JSON Schema 2020-12 whose keywords are not typed further. */
export type JsonSchema = { readonly [keyword: string]: unknown }

/** Returns the replacement of a named schema inside another one; undefined copies it in place. */
type Named = (id: string, schema: JsonSchema) => JsonSchema | undefined

/**
 * A copy as plain JSON. A union of texts is written as an enum, which every tool understands. The casts: an object is read as
 * a schema, and the copy of an object is one.
 */
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

/** A copy without names and references, so that two such schemas can be compiled side by side. */
export const inlined = (schema: object): JsonSchema => copy(schema, () => undefined, true) as JsonSchema

/** The named schemas of a document, each once, with those that they refer to. */
export class NamedSchemas {
  readonly #schemas = new Map<string, JsonSchema>()

  readonly add = (id: string, schema: JsonSchema): void => {
    if (this.#schemas.has(id)) return
    // Entered before it is followed, or a schema that refers to itself would recurse without end.
    this.#schemas.set(id, {})
    this.#schemas.set(id, referring(schema, this.add, true))
  }

  /** The schemas by their names, in the order of these. */
  all(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)))
  }
}

/** A copy with a reference in place of each named schema. Calls `found` for each of them. */
export function referring(schema: object, found: (id: string, schema: JsonSchema) => void, root = false): JsonSchema {
  const reference: Named = (id, inner) => {
    found(id, inner)
    return { $ref: `#/components/schemas/${id}` }
  }
  return copy(schema, reference, root) as JsonSchema
}
