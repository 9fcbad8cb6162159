import { asyncApi } from '../../api/asyncapi.ts'
import type { JsonSchema } from '../../api/json-schema.ts'
import { openApi } from '../../api/openapi.ts'
import { formParameters } from '../../contracts/operation.ts'
import { decimalPatterns } from '../../contracts/scalars.ts'
import { streamErrors, streamNames } from '../../contracts/streams.ts'

/** What the service's descriptions say, in the terms that both languages are written from. */
export type Shape =
  | { readonly kind: 'decimal' | 'text' | 'integer' | 'boolean' | 'null' | 'any' }
  | { readonly kind: 'enum'; readonly values: readonly string[] }
  | { readonly kind: 'list' | 'map'; readonly of: Shape }
  | { readonly kind: 'ref'; readonly name: string }
  | { readonly kind: 'union'; readonly members: readonly Shape[] }

export type Member = {
  readonly name: string
  readonly shape: Shape
  readonly isRequired: boolean
  readonly description: string
}
export type Model = { readonly name: string; readonly description: string; readonly members: readonly Member[] }

export type OperationModel = {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly params: readonly Member[]
  readonly query: readonly Member[]
  readonly body: readonly Member[]
  readonly answer: Shape
}

export type Description = {
  readonly models: readonly Model[]
  readonly operations: readonly OperationModel[]
  readonly problemCodes: readonly string[]
  readonly streamErrorCodes: readonly string[]
  readonly streamNames: readonly string[]
  /** Meaning of each error of a stream, and what to do. Not every error message has a detail of its own. */
  readonly streamErrorMeanings: readonly (readonly [code: string, meaning: string])[]
}

type Parameter = {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly description?: string
  readonly schema: JsonSchema
}
type Content = Readonly<Record<string, { readonly schema?: JsonSchema; readonly examples?: object }>>
type OpenApiOperation = {
  readonly operationId: string
  readonly summary: string
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}
type Documents = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}

/** Reads /openapi.json and /asyncapi.json. Throws if they give one name to two schemas. */
export function describeService(): Description {
  // Casts: the documents are written as plain JSON, and these are the parts of their formats that are read here.
  const rest = openApi() as unknown as Documents
  const streams = asyncApi() as unknown as Documents
  const schemas = new Map(Object.entries(rest.components.schemas))
  for (const [name, schema] of Object.entries(streams.components.schemas)) {
    const other = schemas.get(name)
    // Over REST an event names the schemas of its data. In the clients its data is what `dataschema` says.
    const isSame = name === 'Event' || JSON.stringify(other) === JSON.stringify(schema)
    if (other && !isSame) throw new Error(`two schemas are called ${name}`)
    schemas.set(name, schema)
  }
  const reader = new Reader()
  for (const [name, schema] of schemas) reader.addModel(name, schema)
  const listed = Object.entries(rest.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  return {
    operations: listed.map(({ path, method, operation }) => reader.operation(path, method, operation)),
    models: reader.models(),
    problemCodes: sorted(listed.flatMap(({ operation }) => problemCodesOf(operation))),
    streamErrorCodes: sorted(
      ['PricesError', 'EventsError', 'PredictionsError'].flatMap((name) => enumOf(schemas.get(name), 'code')),
    ),
    streamNames,
    streamErrorMeanings: Object.entries(streamErrors).map(([code, { title, advice }]) => [code, `${title}. ${advice}`]),
  }
}

const sorted = (codes: readonly string[]): string[] => [...new Set(codes)].sort()

const problemCodesOf = ({ responses }: OpenApiOperation): string[] =>
  Object.values(responses).flatMap(({ content }) => Object.keys(content?.['application/problem+json']?.examples ?? {}))

const enumOf = (schema: JsonSchema | undefined, member: string): string[] => {
  // A cast: the members of an object's schema are schemas.
  const properties = schema?.properties as Record<string, { enum?: string[] }> | undefined
  return properties?.[member]?.enum ?? []
}

/** Collects models. An object without a name of its own gets one from where it stands. */
class Reader {
  readonly #models = new Map<string, Model>()

  models(): Model[] {
    return [...this.#models.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  addModel(name: string, schema: JsonSchema): void {
    const {
      properties = {},
      required = [],
      description = '',
    } = schema as {
      properties?: Record<string, JsonSchema>
      required?: string[]
      description?: string
    }
    const members = Object.entries(properties).map(([member, property]) => ({
      name: member,
      shape: this.shapeOf(property, `${name}${pascal(member)}`),
      isRequired: required.includes(member),
      description: String(property.description ?? ''),
    }))
    this.#models.set(name, { name, description, members })
  }

  operation(path: string, method: string, operation: OpenApiOperation): OperationModel {
    const { operationId: id, summary, parameters, requestBody, responses } = operation
    const membersIn = (place: string): Member[] =>
      parameters
        .filter((parameter) => parameter.in === place)
        .map(({ name, required, description = '', schema }) => ({
          name,
          shape: this.shapeOf(schema, `${pascal(id)}${pascal(name)}`),
          isRequired: required,
          description,
        }))
    const [answerType = '', { schema = {} } = {}] =
      Object.entries(responses[200]?.content ?? responses[201]?.content ?? {})[0] ?? []
    const bodySchema = requestBody?.content['application/json']?.schema
    const body = bodySchema ? this.shapeOf(bodySchema, `${pascal(id)}Body`) : undefined
    const isJson = answerType === 'application/json'
    return {
      id,
      method,
      path,
      summary,
      params: membersIn('path'),
      query: membersIn('query').filter(({ name }) => !formParameters.has(name)),
      body: body?.kind === 'ref' ? (this.#models.get(body.name)?.members ?? []) : [],
      answer: isJson ? this.shapeOf(schema, `${pascal(id)}Answer`) : { kind: 'text' },
    }
  }

  shapeOf(schema: JsonSchema, nameIfObject: string): Shape {
    const { $ref, anyOf, type, pattern, items, properties } = schema
    if (typeof $ref === 'string') return { kind: 'ref', name: $ref.split('/').at(-1) ?? '' }
    if (Array.isArray(schema.enum)) return { kind: 'enum', values: schema.enum }
    if (typeof schema.const === 'string') return { kind: 'enum', values: [schema.const] }
    // Casts: each keyword of JSON Schema has one type.
    if (Array.isArray(anyOf)) {
      return { kind: 'union', members: anyOf.map((member: JsonSchema) => this.shapeOf(member, nameIfObject)) }
    }
    if (type === 'array') return { kind: 'list', of: this.shapeOf((items ?? {}) as JsonSchema, nameIfObject) }
    if (type === 'object' && properties !== undefined) {
      this.addModel(nameIfObject, schema)
      return { kind: 'ref', name: nameIfObject }
    }
    if (type === 'object') return { kind: 'map', of: this.shapeOf(valueSchemaOf(schema), nameIfObject) }
    if (type === 'string') return { kind: decimalPatterns.includes(pattern) ? 'decimal' : 'text' }
    if (type === 'integer' || type === 'boolean' || type === 'null') return { kind: type }
    return { kind: 'any' }
  }
}

/** Schema of the values of an object whose members have no fixed names. */
function valueSchemaOf({ patternProperties, additionalProperties }: JsonSchema): JsonSchema {
  const [first] = Object.values((patternProperties ?? {}) as Record<string, JsonSchema>)
  return first ?? (typeof additionalProperties === 'object' ? (additionalProperties as JsonSchema) : {})
}

const pascal = (name: string): string => name.replace(/(?:^|[_-])([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The names of the models whose values hold a decimal somewhere. */
export function modelsWithDecimals(models: readonly Model[]): ReadonlySet<string> {
  const found = new Set<string>()
  const holds = (shape: Shape): boolean => {
    if (shape.kind === 'decimal') return true
    if (shape.kind === 'ref') return found.has(shape.name)
    if (shape.kind === 'list' || shape.kind === 'map') return holds(shape.of)
    return shape.kind === 'union' && shape.members.some(holds)
  }
  // Until nothing is added: a model may be listed before one that it refers to.
  for (let before = -1; before !== found.size; ) {
    before = found.size
    for (const { name, members } of models) if (members.some(({ shape }) => holds(shape))) found.add(name)
  }
  return found
}
