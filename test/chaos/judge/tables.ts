import type { EventValue, Line, RejectedValue, ReleaseValue, TickValue } from '../journal-lines.ts'
import { candlesOf } from './candles.ts'
import { firstDifference } from './differences.ts'

/** A row of the store: `place` says which, by its place in the journal or, of a candle, by its key. */
export type Row = { readonly place: string } & Readonly<Record<string, unknown>>

export type Tables = {
  readonly vintages: readonly Row[]
  readonly events: readonly Row[]
  readonly ticks: readonly Row[]
  readonly quarantine: readonly Row[]
  readonly candles: readonly Row[]
}

const PLACE = `concat(toString(_partition), '/', toString(_offset)) AS place`

/** Query of each table. Numbers come as text, times as milliseconds. */
export const queries: Readonly<Record<keyof Tables, string>> = {
  vintages: `SELECT ${PLACE}, release_id, series, period, figures, ifNull(revises, '') AS revised
    FROM vintages WHERE NOT _marker`,
  events: `SELECT ${PLACE}, toString(sequence) AS number, id, type, subject, data FROM events WHERE NOT _marker`,
  ticks: `SELECT ${PLACE}, symbol, source, price, toString(toUnixTimestamp64Milli(observed_at)) AS ms
    FROM ticks WHERE NOT _marker`,
  quarantine: `SELECT ${PLACE}, input_id FROM quarantine WHERE NOT _marker`,
  candles: `SELECT concat(symbol, ' ', source, ' ', formatDateTime(minute, '%Y-%m-%dT%H:%i', 'UTC'), ' ',
      toString(_partition)) AS place, open, high, low, close, toString(ticks) AS count,
      toString(toUnixTimestamp64Milli(first_at)) AS first_ms, toString(first_offset) AS first_place,
      toString(toUnixTimestamp64Milli(last_at)) AS last_ms, toString(last_offset) AS last_place
    FROM candles FINAL WHERE symbol != ''`,
}

export type JournalForTables = {
  readonly releases: readonly Line<ReleaseValue>[]
  readonly events: readonly Line<EventValue>[]
  readonly ticks: readonly Line<TickValue>[]
  readonly quarantine: readonly Line<RejectedValue>[]
  /** Candles are compared as a whole, whatever range of the ticks is. */
  readonly allTicks: readonly Line<TickValue>[]
}

/** The rows that the tables must hold. */
export function expectedTables({ releases, events, ticks, quarantine, allTicks }: JournalForTables): Tables {
  return {
    vintages: releases.map((line) => ({
      place: placeOf(line),
      release_id: line.value.release_id,
      series: line.value.series.id,
      period: line.value.period,
      figures: line.value.figures,
      revised: line.value.revises ?? '',
    })),
    events: events.map((line) => ({
      place: placeOf(line),
      number: String(line.value.sequence),
      id: line.value.id,
      type: line.value.type,
      subject: line.value.subject,
      data: line.value.data,
    })),
    ticks: ticks
      .filter(({ value }) => value.kind === 'price')
      .map((line) => ({
        place: placeOf(line),
        symbol: line.value.symbol,
        source: line.value.source,
        price: line.value.price,
        ms: milliseconds(line.value.observed_at),
      })),
    quarantine: quarantine
      .filter(({ value }) => value.part === 1)
      .map((line) => ({ place: placeOf(line), input_id: line.value.input_id })),
    candles: [...candlesOf(allTicks)].map(([place, candle]) => ({
      place,
      open: candle.open,
      high: candle.high,
      low: candle.low,
      close: candle.close,
      count: String(candle.ticks),
      first_ms: milliseconds(candle.firstAt),
      first_place: String(candle.firstOffset),
      last_ms: milliseconds(candle.lastAt),
      last_place: String(candle.lastOffset),
    })),
  }
}

const placeOf = ({ partition, offset }: Line<unknown>): string => `${partition}/${offset}`
const milliseconds = (instant: string): string => String(Date.parse(instant))

/** Compares the store's tables with the journal, row by row; a row that is there twice is a violation too. */
export function judgeTables(expected: Tables, found: Tables): string[] {
  return (Object.keys(queries) as (keyof Tables)[]).flatMap((table) => {
    const rows = byPlace(found[table])
    const twice = found[table].length - rows.size
    return [
      ...(twice === 0 ? [] : [`table ${table}: ${twice} rows are there twice`]),
      ...firstDifference(`table ${table}`, byPlace(expected[table]), rows),
    ]
  })
}

const byPlace = (rows: readonly Row[]): Map<string, Row> => new Map(rows.map((row) => [row.place, row]))
