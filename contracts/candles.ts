import { Type } from '#typebox'
import { Instant } from './instant.ts'
import { commodities } from './instruments.ts'
import {
  chargedProblems,
  csvParameters,
  cursorParameter,
  limitParameter,
  literals,
  NextCursor,
  noParameters,
  type Operation,
} from './operation.ts'
import { nullable, PositiveDecimal, strict, Timestamp } from './scalars.ts'

/** Prices over time: candles of every pair that is served, and the ticks of those that a source quotes. */

export const intervals = ['1m', '5m', '15m', '30m', '1h', '4h', '1d', '1w', '1M'] as const
export type CandleInterval = (typeof intervals)[number]
export const DEFAULT_INTERVAL: CandleInterval = '1d'

/** Most pairs of one call, and most candles that they may have: one in each interval of the range. */
export const [MAX_PAIRS, MAX_CANDLES] = [100, 10_000]

const PairSymbol = Type.String({
  pattern: '^[A-Z][A-Z0-9_]{1,15}-[A-Z]{3}$',
  description: 'Commodity and currency, or two currencies, with a hyphen between: XAU-USD, EUR-JPY',
})

const Candle = strict(
  {
    start: Type.String({
      ...Timestamp,
      description: 'Begin of the interval, UTC. Intervals without a price are left out',
    }),
    open: Type.String({ ...PositiveDecimal, description: 'First price' }),
    high: Type.String({ ...PositiveDecimal, description: 'Highest price' }),
    low: Type.String({ ...PositiveDecimal, description: 'Lowest price' }),
    close: Type.String({ ...PositiveDecimal, description: 'Last price' }),
    ticks: Type.Integer({
      minimum: 1,
      description: 'Number of prices; of a derived candle, of the prices it is computed from',
    }),
    sources: Type.Array(Type.String(), {
      minItems: 1,
      description: 'Sources of the prices. More than one only if the candle is derived from several quotes',
    }),
  },
  { $id: 'Candle', description: 'Prices of an interval, by the time at which the source observed them' },
)

const candlesOfPair = {
  symbol: PairSymbol,
  interval: literals(intervals),
  derived: Type.Boolean({
    description: 'True if no source quotes the pair, so that its candles are computed from those of other pairs',
  }),
  candles: Type.Array(Candle),
}
const stillGrows = 'A candle whose interval has not ended by then still grows'

const CandleList = strict(
  {
    ...candlesOfPair,
    next_cursor: NextCursor,
    as_of: {
      ...nullable(Timestamp),
      description: `Time of the newest price; null if there is none yet. ${stillGrows}`,
    },
  },
  { $id: 'CandleList', description: 'One page of candles, oldest first' },
)

const PairCandles = strict(
  {
    ...candlesOfPair,
    as_of: {
      ...nullable(Timestamp),
      description: `Time of the newest price; null if there is none since \`start\`. ${stillGrows}`,
    },
  },
  { $id: 'PairCandles', description: 'All candles of a pair in a range, oldest first' },
)

const CandlesOfPairs = strict(
  { pairs: Type.Array(PairCandles) },
  {
    $id: 'CandlesOfPairs',
    description: 'The candles of several pairs in one range, in the order in which they were asked for',
  },
)

const Tick = strict(
  {
    observed_at: Type.String({ ...Timestamp, description: 'Time at which the source observed the price' }),
    price: Type.String({ ...PositiveDecimal, description: 'Price as the source gave it' }),
    source: Type.String({ description: 'Source of the price' }),
    recorded_at: Type.String({ ...Timestamp, description: 'Time at which the price was recorded in the journal' }),
  },
  { $id: 'Tick', description: 'A price of a source' },
)

const TickList = strict(
  {
    symbol: PairSymbol,
    ticks: Type.Array(Tick),
    next_cursor: NextCursor,
    as_of: {
      ...nullable(Timestamp),
      description: 'Time at which the newest tick of the snapshot was recorded; null if there is none yet',
    },
  },
  { $id: 'TickList', description: 'One page of ticks, oldest first, from one snapshot' },
)

export type Candle = Type.Static<typeof Candle>
export type ServedTick = Type.Static<typeof Tick>

const range = {
  limit: limitParameter,
  cursor: Type.Optional({
    ...cursorParameter,
    description:
      'The next_cursor of the previous page. Send it alone or with the same interval, start and end; any limit is allowed',
  }),
  ...csvParameters,
}
const problems = [
  ...chargedProblems,
  'commodity_not_supported',
  'currency_not_supported',
  'cursor_invalid',
  'cursor_mismatch',
  'cursor_foreign',
  'cursor_superseded',
  'cursor_expired',
] as const

const gold = commodities.XAU?.name.toLowerCase()

const interval = Type.Optional({
  ...literals(intervals),
  description: `Length of a candle: m is minutes, h hours, d days, w weeks, M months. Left out: ${DEFAULT_INTERVAL}`,
})
const firstCandle = {
  ...Instant,
  description: 'First candle: the first that begins at or after this instant (RFC 3339) or date (UTC)',
}
const lastCandle = {
  ...Instant,
  description: 'Last candle: the last that begins at or before this instant (RFC 3339), or on this date (UTC)',
}

export const candlesOperation: Operation = {
  id: 'prices_list_candles',
  method: 'GET',
  path: '/v1/prices/{symbol}/candles',
  summary: 'Candles of a pair: first, highest, lowest and last price of each interval',
  description: `Past prices of a commodity (${gold} in euro: XAU-EUR) or of an exchange rate (EUR-JPY), oldest first. Days and hours begin in UTC, weeks on Monday. Each candle has the prices of one source, the best one that has any in the interval. If no source quotes the pair, each minute is computed from the candles of other pairs, and \`derived\` is true. Candles with simulated prices have the header \`Almanac-Source: simulator\`. The newest candle still grows until its interval has ended. For the latest ones send \`start\`.`,
  tag: 'Prices',
  access: 'charged',
  params: strict({ symbol: PairSymbol }),
  query: strict({ interval, start: Type.Optional(firstCandle), end: Type.Optional(lastCandle), ...range }),
  response: CandleList,
  hasCsv: true,
  problems,
}

export const candlesOfPairsOperation: Operation = {
  id: 'prices_list_candles_of_pairs',
  method: 'GET',
  path: '/v1/prices/candles',
  summary: 'Candles of several pairs in one call',
  description: `For each pair what prices_list_candles has from \`start\` to \`end\`, whole. The pairs times the intervals of the range are at most ${MAX_CANDLES} candles: more are refused, with a range that fits.`,
  tag: 'Prices',
  access: 'charged',
  params: noParameters,
  query: strict({
    symbol: Type.Array(PairSymbol, {
      minItems: 1,
      maxItems: MAX_PAIRS,
      description: 'The pairs, in the order of the answer',
    }),
    interval,
    start: firstCandle,
    end: Type.Optional({ ...lastCandle, description: `${lastCandle.description}. Left out: the newest` }),
  }),
  response: CandlesOfPairs,
  problems: chargedProblems,
}

export const ticksOperation: Operation = {
  id: 'prices_list_ticks',
  method: 'GET',
  path: '/v1/prices/{symbol}/ticks',
  summary: 'Ticks of a pair: each price as its source gave it',
  description:
    'The prices behind the candles, of all sources, by the time at which each source observed them, oldest first. They are kept for about two months; candles are kept for ever. A pair that no source quotes has no ticks: the problem names the pairs from which it is computed.',
  tag: 'Prices',
  access: 'charged',
  params: strict({ symbol: PairSymbol }),
  query: strict({
    start: Type.Optional({
      ...Instant,
      description: 'Ticks observed at or after this instant (RFC 3339) or date (UTC)',
    }),
    end: Type.Optional({
      ...Instant,
      description: 'Ticks observed at or before this instant (RFC 3339), or on this date (UTC)',
    }),
    ...range,
  }),
  response: TickList,
  hasCsv: true,
  problems: [...problems, 'pair_not_quoted'],
}
