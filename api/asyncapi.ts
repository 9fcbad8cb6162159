import {
  errorCodesOf,
  type StreamName,
  seconds,
  streamErrors,
  streamLimits,
  streamNames,
  streamPath,
} from '../contracts/streams.ts'
import { type JsonSchema, NamedSchemas } from './json-schema.ts'
import { publication } from './openapi.ts'
import { type Frame, framesOf, simulatedPrices, streamSummaries } from './stream-descriptions.ts'
import { streamExamples } from './stream-examples.ts'

const ASYNCAPI_VERSION = '1.0.0'

const description = `Prices, events and predictions as they change, over WebSocket. Each text frame is one JSON object, at
most ${streamLimits.frameBytes} bytes from a client. The server sends \`ready\`; the client sends one \`subscribe\` within
${seconds(streamLimits.subscribeWithinMs)}, and after it only \`ping\`: at most ${streamLimits.clientFrames} frames on a connection.

The server accepts every valid handshake. If access is refused, the client gets an \`error\` and the connection closes,
because web pages can't read a failed handshake. The close reason begins with the error's code, followed by a colon and the
detail if there is one. Query parameters other than \`ticket\` are ignored. Close code 1001: the server is shutting down,
connect again. 1009: \`invalid_frame\` for a frame that is too large.

A connection counts as one call of the month, and as one of the concurrent streams of the key's plan.`

const errorTable = (stream: StreamName) =>
  errorCodesOf(stream)
    .map((code) => [code, streamErrors[code]] as const)
    .map(([code, { close, title, advice }]) => `- \`${code}\` (${close}): ${title}. ${advice}`)
    .join('\n')
const errorTables: Readonly<Record<string, string>> = {
  PricesError: errorTable('prices'),
  EventsError: errorTable('events'),
  PredictionsError: errorTable('predictions'),
}

/** The AsyncAPI 3.0.0 document of the streams, made from the contracts. It describes the service: `send` is to clients. */
export function asyncApi(streamBase = 'ws://127.0.0.1:8081', apiBase = 'http://127.0.0.1:8080'): JsonSchema {
  const schemas = new NamedSchemas()
  const all = streamNames.flatMap((name) => [...framesOf(name, 'client'), ...framesOf(name, 'server')])
  const messages = Object.fromEntries(
    all.map((frame) => {
      schemas.add(frame.$id, frame)
      return [frame.$id, messageOf(frame)]
    }),
  )
  const { host, protocol } = new URL(streamBase)
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Almanac streams',
      version: ASYNCAPI_VERSION,
      description,
      contact: publication.contact(apiBase),
      license: { name: publication.license.name, url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      tags: [{ name: 'Streams', description: 'Prices, events and predictions over WebSocket' }],
    },
    defaultContentType: 'application/json',
    servers: {
      streams: {
        host,
        protocol: protocol.slice(0, -1),
        description: 'Address of the streams of this service, as in a ticket’s `url`',
        security: [
          { $ref: '#/components/securitySchemes/BearerAuth' },
          { $ref: '#/components/securitySchemes/Ticket' },
        ],
      },
    },
    channels: Object.fromEntries(streamNames.map((name) => [name, channelOf(name)])),
    operations: Object.fromEntries(
      streamNames.flatMap((name) => [
        [`${name}Receive`, operationOf(name, 'receive')],
        [`${name}Send`, operationOf(name, 'send')],
      ]),
    ),
    components: {
      securitySchemes: {
        BearerAuth: { type: 'http', scheme: 'bearer', description: 'An API key: `Authorization: Bearer <API_KEY>`' },
        Ticket: {
          type: 'httpApiKey',
          name: 'ticket',
          in: 'query',
          description: `For web pages, which must not hold a key: POST /v1/{stream}/stream-ticket returns one, valid for one connection
within ${seconds(streamLimits.ticketLifetimeMs)}, of that stream, from pages of the origin it was made for. Ignored if there is a key`,
        },
      },
      messages,
      schemas: schemas.all(),
    },
  }
}

const messageOf = ({ $id, description: text }: Frame): JsonSchema => ({
  name: $id,
  ...(text ? { description: describe(text, errorTables[$id]) } : {}),
  payload: { $ref: `#/components/schemas/${$id}` },
  examples: [{ payload: streamExamples[$id] }],
})

const describe = (text: string, codes: string | undefined): string =>
  codes === undefined ? text : `${text}. Codes, with their close codes:\n\n${codes}`

const channelOf = (name: StreamName): JsonSchema => ({
  address: streamPath(name),
  summary: streamSummaries[name],
  ...(name === 'prices' ? { description: simulatedPrices } : {}),
  servers: [{ $ref: '#/servers/streams' }],
  messages: Object.fromEntries(
    [...framesOf(name, 'client'), ...framesOf(name, 'server')].map(({ $id }) => [
      $id,
      { $ref: `#/components/messages/${$id}` },
    ]),
  ),
  bindings: {
    ws: {
      method: 'GET',
      query: {
        type: 'object',
        properties: { ticket: { type: 'string', description: 'A ticket for this stream, instead of the header' } },
        additionalProperties: false,
      },
      headers: {
        type: 'object',
        properties: {
          authorization: { type: 'string', description: 'Bearer <API_KEY>' },
          origin: { type: 'string', description: 'With a ticket, the origin that it was made for' },
        },
      },
      bindingVersion: '0.1.0',
    },
  },
})

/** An operation of the service: `receive` takes messages from clients, `send` sends messages to them. */
const operationOf = (name: StreamName, action: 'send' | 'receive'): JsonSchema => ({
  action,
  channel: { $ref: `#/channels/${name}` },
  summary: action === 'send' ? 'Messages from the server' : 'Messages from clients',
  description:
    action === 'send'
      ? `${streamSummaries[name]} First \`ready\`, then what was subscribed to; an \`error\` comes last.`
      : 'One `subscribe` after `ready`, then nothing but `ping`.',
  messages: framesOf(name, action === 'send' ? 'server' : 'client').map(({ $id }) => ({
    $ref: `#/channels/${name}/messages/${$id}`,
  })),
})
