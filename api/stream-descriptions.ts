import { frames } from '../contracts/frames.ts'
import { type StreamName, streamNames } from '../contracts/streams.ts'
import type { JsonSchema } from './json-schema.ts'

/** What the AsyncAPI document and the docs page say of the streams alike. */
export const streamSummaries: Readonly<Record<StreamName, string>> = {
  prices: 'The current price of each pair, then its changes, checked about once a second. Plans basic and pro.',
  events: 'Every event from a cursor on, or from now: in order, none twice and none left out.',
  predictions: 'The current prediction of each match, then its changes. Computed, never official figures.',
}

/** How a subscriber learns that prices are made up: the messages are those of real ones. */
export const simulatedPrices =
  'Where a service simulates prices for a demonstration, the answer to the handshake, and to the call for a ticket, has the header `Almanac-Source: simulator`, and `market_session` is `simulated`.'

export type Side = 'client' | 'server'
export type Frame = JsonSchema & { readonly $id: string; readonly description?: string }

/** The messages that a stream takes (`client`) or sends (`server`). */
export const framesOf = (stream: StreamName, side: Side): readonly Frame[] =>
  frames[stream][side] as unknown as readonly Frame[]

/** The messages of all streams, each once. */
export const allFrames = (side: Side): readonly Frame[] => [
  ...new Set(streamNames.flatMap((name) => framesOf(name, side))),
]
