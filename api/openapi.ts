import { eventDataSchemas } from '../contracts/event-data.ts'
import { servedIndicators, servingOf } from '../contracts/indicators.ts'
import { isDatable, type Operation } from '../contracts/operation.ts'
import { operations, statusOf, ticketOperationId } from '../contracts/operations.ts'
import { Problem, type ProblemCode, problems, toProblem } from '../contracts/problems.ts'
import { mediaTypes } from './accept.ts'
import type { Example } from './example.ts'
import { exampleOf, examples } from './examples.ts'
import { type JsonSchema, NamedSchemas, referring } from './json-schema.ts'

export const OPENAPI_VERSION = '1.0.0'

const description = `Economic indicators, merchandise trade, prices and the journal they come from.

Figures are decimal strings, never JSON numbers. Errors are problem documents (RFC 9457); each code has a page under
/problems. An answer carries ETag and Cache-Control; RateLimit and RateLimit-Policy say what is left of a key's allowances.
Unknown query parameters are refused.`

/** Where readers of the description find the service's own pages, and the licence of the program. */
export const publication = {
  contact: (apiBase: string) => ({ name: 'The reference of this service', url: `${apiBase}/docs` }),
  license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
}

const tags: readonly { name: string; description: string }[] = [
  { name: 'Economics', description: 'Indicators and merchandise trade of countries: latest, exact period, history' },
  { name: 'Calendar', description: 'Releases that are expected, late or published' },
  { name: 'Catalogue', description: 'Which series, countries, indicators, instruments and plans there are' },
  { name: 'Prices', description: 'Commodity prices and exchange rates, now and over time' },
  { name: 'Events', description: 'The public journal: every release, revision and market event, in order' },
  {
    name: 'Streams',
    description: 'Tickets to open the WebSocket streams from web pages, which must not hold a key',
  },
  { name: 'Account', description: 'What a key has used' },
  { name: 'Service', description: 'The state of the service' },
]

/** Problems that every operation can return, in addition to those in its table entry. */
const common: readonly ProblemCode[] = ['not_acceptable', 'internal']

const csvDescription =
  'RFC 4180, or with semicolons by csv_style: a column for each member that every entry has, and for those of computed entries'

const header = (text: string, schema: JsonSchema = { type: 'string' }) => ({ description: text, schema })
const headers = {
  'Request-Id': header('The id of this call; the client’s own if it sent one of 8 to 64 letters, digits, _ or -'),
  ETag: header('Strong validator of the body, for If-None-Match'),
  'Cache-Control': header('How long the answer may be reused by the client that asked'),
  'RateLimit-Policy': header('The key’s allowances (IETF httpapi draft)'),
  RateLimit: header('What is left of them, and the seconds until they are full again'),
  'Retry-After': header('Seconds after which to retry the call', { type: 'integer' }),
  'WWW-Authenticate': header('Bearer'),
  Link: header('For a refused events cursor, the address to continue from (rel earliest or latest)'),
  ReleaseLink: header('Address of the release behind the event: where its figures come from (rel describedby)'),
  FigureLink: header(
    'Address of the release behind the figure: where it comes from (rel describedby). Behind it, the address of its series in the catalogue (rel collection). Without `period`, also the histories of newer figures that the body can’t give: of a frequency that comes after its own, or without a figure of the body (rel related, the period as title)',
  ),
  NextLink: header(
    'For a page of CSV, the address of the next page (rel next), absent on the last. For a history with periods that were never published, the address of their entries in the calendar (rel related). For a history, the address of its series in the catalogue (rel collection), of the vintages behind its entries (rel version-history) and, if no frequency was asked for, of another one that is newer (rel related, the period as title)',
  ),
  'Almanac-Released-On-Basis': header(
    'What `released_on` rests on: `publisher`, `dataset`, `copy` (a day on which a copy had the figure) or `first_seen`; `estimated` below `/asof/{day}/estimated` only',
  ),
  'Almanac-Periods-Ended-Since': header(
    'Without `period`: how many months, quarters or years have ended since the one of this figure. Most figures come out after one or two; a larger number says that this one is old',
    { type: 'integer' },
  ),
  'Almanac-Source': header(
    '`simulator` if the answer is computed from made-up prices, or the stream sends such prices; absent otherwise',
  ),
}
const withHeaders = (...names: (keyof typeof headers)[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const ofNow = { url: '/', description: 'As of now' }
const ofADay = {
  url: '/asof/{day}',
  description: 'As of a day: nothing that was released or observed later can be reached',
  variables: {
    day: {
      default: '2024-03-01',
      description: 'YYYY-MM-DD; figures by the day of their release, prices by their time',
    },
  },
}

const withEstimates = {
  ...ofADay,
  url: `${ofADay.url}/estimated`,
  description:
    'As of a day, with figures whose date is estimated: the first value on record, as of the usual lag of its series',
}

/** The OpenAPI 3.1.0 document of all operations, made from the contracts. */
export function openApi(apiBase = 'http://127.0.0.1:8080'): JsonSchema {
  const named = new NamedSchemas()
  const paths: Record<string, Record<string, JsonSchema>> = {}
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describe(operation, examples[operation.id], named.add),
    }
  }
  for (const [name, schema] of eventDataSchemas) named.add(name, { ...schema })
  const schemas = named.all()
  if (schemas.Event) schemas.Event = withDataSchemas(schemas.Event)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Almanac',
      version: OPENAPI_VERSION,
      description,
      contact: publication.contact(apiBase),
      license: publication.license,
    },
    servers: [ofNow, ofADay, withEstimates],
    tags,
    paths,
    components: {
      securitySchemes: {
        BearerAuth: { type: 'http', scheme: 'bearer', description: 'An API key: `Authorization: Bearer <API_KEY>`' },
        BasicAuth: {
          type: 'http',
          scheme: 'basic',
          description: 'For reads by clients that cannot send a bearer: the API key as user name or as password',
        },
      },
      headers,
      schemas,
    },
  }
}

/** Names the schemas of an event's data. Types of events may be added, so other data is allowed. */
function withDataSchemas(event: JsonSchema): JsonSchema {
  // Cast: a schema's properties are schemas by name.
  const properties = event.properties as Readonly<Record<string, JsonSchema>>
  const known = [...eventDataSchemas.keys()].map((name) => ({ $ref: `#/components/schemas/${name}` }))
  const other = { type: 'object', description: 'Data of a type of event that is newer than this description' }
  const { description: text } = properties.data ?? {}
  return { ...event, properties: { ...properties, data: { description: text, anyOf: [...known, other] } } }
}

type Found = NamedSchemas['add']

function describe(operation: Operation, example: Example | undefined, found: Found): JsonSchema {
  const keyed = operation.access !== 'none'
  const limits = keyed ? (['RateLimit-Policy', 'RateLimit'] as const) : []
  const reads = operation.method === 'GET'
  const isCached = reads && operation.isStreamed !== true
  const tag = isCached ? (['ETag'] as const) : []
  const isPriced = operation.tag === 'Prices' || operation.id === ticketOperationId('prices')
  const isFigure = servedIndicators.some((indicator) => servingOf(indicator).operationId === operation.id)
  const hasCsvPages = operation.hasCsv && 'limit' in operation.query.properties
  const isEvent = operation.id === 'events_get'
  const link = isFigure ? 'FigureLink' : isEvent ? 'ReleaseLink' : hasCsvPages ? 'NextLink' : undefined
  const made = isPriced
    ? (['Almanac-Source'] as const)
    : isFigure
      ? (['Almanac-Released-On-Basis', 'Almanac-Periods-Ended-Since'] as const)
      : []
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: operation.description,
    tags: [operation.tag],
    // The answer can only be of now.
    ...(isDatable(operation) ? {} : { servers: [ofNow] }),
    security: keyed ? [{ BearerAuth: [] }, ...(reads ? [{ BasicAuth: [] }] : [])] : [],
    parameters: [
      ...parametersOf('path', operation.params, example?.params, found),
      ...parametersOf('query', operation.query, example?.query, found),
    ],
    ...(operation.body ? { requestBody: requestBody(operation.body, example, found) } : {}),
    responses: {
      [statusOf(operation)]: {
        description: operation.summary,
        headers: {
          ...withHeaders('Request-Id', ...tag, 'Cache-Control', ...limits, ...made),
          ...(link ? { Link: { $ref: `#/components/headers/${link}` } } : {}),
        },
        content: {
          [operation.mediaType ?? mediaTypes.json]: {
            schema: referring(operation.response, found),
            ...(example ? { example: example.body } : {}),
          },
          ...formsOf(operation),
          ...(operation.hasCsv
            ? {
                [mediaTypes.csv]: {
                  schema: { type: 'string', description: csvDescription },
                },
              }
            : {}),
        },
      },
      ...(isCached
        ? {
            304: {
              description: 'Not modified since the ETag in If-None-Match',
              headers: withHeaders('Request-Id', 'ETag'),
            },
          }
        : {}),
      ...problemResponses(operation, example, found),
    },
  }
}

const formsOf = ({ forms = {}, mediaType }: Operation) =>
  Object.fromEntries(
    Object.values(forms)
      .filter((type) => type !== mediaType)
      .map((type) => [type, { schema: { description: 'The same table, as bytes' } }]),
  )

const requestBody = (body: object, example: Example | undefined, found: Found): JsonSchema => ({
  required: true,
  content: {
    'application/json': { schema: referring(body, found), ...(example?.sent ? { example: example.sent } : {}) },
  },
})

function parametersOf(
  location: 'path' | 'query',
  { properties, required = [] }: { readonly properties: object; readonly required?: readonly string[] },
  example: Readonly<Record<string, string>> | undefined,
  found: Found,
): JsonSchema[] {
  // Each property of a schema is a schema.
  return Object.entries(properties as Record<string, object>).map(([name, property]) => {
    const { description: text, ...schema } = referring(property, found)
    const shown = example?.[name]
    return {
      name,
      in: location,
      required: required.includes(name),
      ...(text ? { description: text } : {}),
      ...(shown === undefined ? {} : { example: exampleOf(schema.type, shown) }),
      schema,
    }
  })
}

function problemResponses(
  { problems: own, path, tag }: Operation,
  example: Example | undefined,
  found: Found,
): JsonSchema {
  const instance = path.replace(/\{(\w+)\}/g, (_, name: string) => example?.params?.[name] ?? name)
  const codes = [...own, ...common]
  const statuses = [...new Set(codes.map((code) => problems[code].status))].sort((a, b) => a - b)
  return Object.fromEntries(
    statuses.map((status) => {
      const here = codes.filter((code) => problems[code].status === status)
      const retry = here.some((code) => problems[code].retry) ? (['Retry-After'] as const) : []
      const challenge = status === 401 ? (['WWW-Authenticate'] as const) : []
      const link = tag === 'Events' && here.some((code) => code.startsWith('cursor_')) ? (['Link'] as const) : []
      return [
        status,
        {
          description: here
            .map((code) => `\`${code}\`: ${problems[code].title}. ${problems[code].advice}`)
            .join('\n\n'),
          headers: withHeaders('Request-Id', ...retry, ...challenge, ...link),
          content: {
            'application/problem+json': {
              schema: referring(Problem, found),
              examples: Object.fromEntries(here.map((code) => [code, { value: problemExample(code, instance) }])),
            },
          },
        },
      ]
    }),
  )
}

const problemExample = (code: ProblemCode, instance: string) =>
  toProblem(code, `${problems[code].title}.`, 'k3Jx0aPq-1f', instance)
