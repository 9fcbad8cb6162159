import type { Line, RejectedValue, TickValue } from '../journal-lines.ts'
import { firstDifferenceInList } from './differences.ts'
import { judgeOffsets } from './releases.ts'

export type SentTick = { readonly symbol: string; readonly price: string; readonly observedAt: string }

/** The ticks of one feed connection in the order in which they were sent. */
export type FeedConnection = {
  readonly ticks: readonly SentTick[]
  /** Whether it was open until the end: then nothing of it may be missing. */
  readonly isOpen: boolean
}

/** The partitions of `ticks`, and what was refused. */
export type TickLines = {
  readonly ticks: readonly (readonly Line<TickValue>[])[]
  readonly quarantine: readonly Line<RejectedValue>[]
}

/**
 * Compares the journal with what was sent over the price feed and acknowledged by `almanac ingest`. A feed acknowledges
 * nothing, so of a connection that was cut the last ticks may be missing, and no others. A tick that was under way while
 * the clock was set back is ahead of it: it must be in quarantine instead.
 */
export function judgeTicks(
  { ticks: partitions, quarantine }: TickLines,
  connections: readonly FeedConnection[],
  acknowledged: readonly SentTick[],
): string[] {
  const prices = partitions.flat().filter(({ value }) => value.kind === 'price')
  const ofFeed = prices.filter(({ value }) => value.source === 'feed')
  const written = ofFeed.map(({ value }) => nameOf(value.symbol, value.price, value.observed_at))
  return [
    ...partitions.flatMap(judgeOffsets),
    ...judgeFiles(prices, acknowledged),
    ...judgeFeed(new Set(written), written.length, connections, new Set(quarantine.flatMap(nameOfAhead))),
    ...judgeOrder(ofFeed, connections),
  ]
}

const nameOf = (symbol: string, price: string, observedAt: string): string => `${symbol} ${price} ${observedAt}`
const sentName = ({ symbol, price, observedAt }: SentTick): string => nameOf(symbol, price, observedAt)

/** A file is accepted by time, so its ticks stand in the order of their times within each symbol. */
function judgeFiles(prices: readonly Line<TickValue>[], acknowledged: readonly SentTick[]): string[] {
  const found = Map.groupBy(
    prices.filter(({ value }) => value.source !== 'feed'),
    ({ value }) => value.symbol,
  )
  const expected = Map.groupBy(acknowledged, ({ symbol }) => symbol)
  return [...new Set([...found.keys(), ...expected.keys()])].flatMap((symbol) =>
    firstDifferenceInList(
      `ticks of files, ${symbol}`,
      (expected.get(symbol) ?? []).map(sentName),
      (found.get(symbol) ?? []).map(({ value }) => nameOf(value.symbol, value.price, value.observed_at)),
    ),
  )
}

/** How far a feed's price may be ahead of the clock (docs/price-feed.md). */
const AHEAD_MS = 60_000

/** The name of a tick that was rightly refused because its time had not come. */
function nameOfAhead({ value: { source, reason, retrieved_at, bytes } }: Line<RejectedValue>): string[] {
  if (source !== 'feed' || reason !== 'price_in_future') return []
  const { symbol, printed, observedAt } = JSON.parse(Buffer.from(bytes, 'base64').toString()) as Record<string, string>
  if (Date.parse(observedAt ?? '') <= Date.parse(retrieved_at) + AHEAD_MS) return []
  return [nameOf(symbol ?? '', printed ?? '', observedAt ?? '')]
}

function judgeFeed(
  written: ReadonlySet<string>,
  count: number,
  feed: readonly FeedConnection[],
  refused: ReadonlySet<string>,
): string[] {
  const violations: string[] = []
  const connections = feed.map(({ ticks, isOpen }) => ({
    ticks: ticks.filter((tick) => !refused.has(sentName(tick))),
    isOpen,
  }))
  if (written.size !== count) violations.push(`ticks of the feed: ${count - written.size} are there twice`)
  let known = 0
  for (const [i, { ticks, isOpen }] of connections.entries()) {
    const missing = ticks.findIndex((tick) => !written.has(sentName(tick)))
    const kept = missing < 0 ? ticks.length : missing
    known += kept
    const later = ticks.slice(kept).filter((tick) => written.has(sentName(tick))).length
    known += later
    if (later > 0) violations.push(`feed connection ${i}: tick ${kept} is missing, and ${later} after it are there`)
    if (isOpen && missing >= 0) violations.push(`feed connection ${i} is open, and ${ticks.length - kept} are missing`)
  }
  if (known !== written.size) violations.push(`ticks of the feed: ${written.size - known} were never sent`)
  return violations
}

/** Within a symbol the journal keeps the order in which ticks were sent. */
function judgeOrder(lines: readonly Line<TickValue>[], connections: readonly FeedConnection[]): string[] {
  const places = new Map(connections.flatMap(({ ticks }) => ticks).map((tick, place) => [sentName(tick), place]))
  const last = new Map<string, number>()
  for (const { partition, offset, value } of lines) {
    const place = places.get(nameOf(value.symbol, value.price, value.observed_at)) ?? -1
    if (place < (last.get(value.symbol) ?? -1)) return [`ticks/${partition}/${offset} is out of order`]
    last.set(value.symbol, place)
  }
  return []
}
