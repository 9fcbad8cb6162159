import { frames } from '../contracts/frames.ts'
import { type StreamName, streamNames } from '../contracts/streams.ts'
import type { JsonSchema } from './json-schema.ts'

/** Descriptions of the streams, shared by the AsyncAPI document and the docs page. */
export const streamSummaries: Readonly<Record<StreamName, string>> = {
  prices: 'The current price of each pair, then its changes, checked about once a second. Plans basic and pro.',
  events: 'Every event from a cursor on, or from now: in order, none twice and none left out.',
  predictions: 'The current prediction of each match, then its changes. Computed, never official figures.',
}

/** How a subscriber learns that prices are made up, since their messages look like those of real prices. */
export const simulatedPrices =
  'If a service simulates prices for a demonstration, the answers to the handshake and to the request for a ticket have the header `Almanac-Source: simulator`, and `market_session` is `simulated`.'

export type Side = 'client' | 'server'
export type Frame = JsonSchema & { readonly $id: string; readonly description?: string }

/** The messages that a stream receives (`client`) or sends (`server`). The cast: every frame's schema has an `$id`. */
export const framesOf = (stream: StreamName, side: Side): readonly Frame[] =>
  frames[stream][side] as unknown as readonly Frame[]

/** The messages of all streams, without repetition. */
export const allFrames = (side: Side): readonly Frame[] => [
  ...new Set(streamNames.flatMap((name) => framesOf(name, side))),
]
