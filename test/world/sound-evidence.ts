import type { Evidence, ReceivedEvent, StoredRow, WrittenRecord } from './evidence.ts'
import { seriesId } from './judges/judge.ts'
import { soundAnswers } from './sound-answers.ts'

/** Lets a test change what it was given. */
export type Forged<T> = T extends readonly (infer E)[]
  ? Forged<E>[]
  : T extends object
    ? { -readonly [K in keyof T]: Forged<T[K]> }
    : T

type Placed = Omit<WrittenRecord, 'headers' | 'timestamp'> & { readonly cause?: string }

const record = ({ cause, ...placed }: Placed): WrittenRecord => ({
  ...placed,
  timestamp: placed.writtenAt,
  headers: {
    'record-id': `${placed.topic} ${placed.partition} ${placed.offset}`,
    ...(cause === undefined ? {} : { cause }),
  },
})

type ReleaseFacts = {
  readonly country: string
  readonly on: string
  readonly figures: Readonly<Record<string, string>>
  readonly period?: string
  readonly late?: boolean
  readonly indicator?: 'cpi' | 'inflation'
}

const release = (
  offset: number,
  { country, on, figures, period = '2025-01', late = false, indicator = 'cpi' }: ReleaseFacts,
) =>
  record({
    topic: 'releases',
    partition: 0,
    offset,
    writtenAt: 10 * offset,
    value: {
      release_id: `rel_${offset}`,
      series: seriesOf(country, indicator, indicator === 'cpi' ? '' : 'TEST'),
      period,
      figures,
      released_on: on,
      late,
      redates: null,
      voids: null,
    },
  })

const seriesOf = (country: string, indicator: string, derivation: string) => ({
  id: `${country}.${indicator}`,
  country,
  indicator,
  derivation,
})

type EventFacts = Pick<ReceivedEvent, 'type' | 'subject' | 'country'> & { readonly cause: string }

const event = (offset: number, sequence: number, { cause, ...facts }: EventFacts) =>
  record({
    topic: 'events',
    partition: 0,
    offset,
    writtenAt: 10 * offset + 45,
    cause,
    value: { sequence, id: `evt_${sequence}`, family: 'prices', data: `{"n":${sequence}}`, ...facts },
  })

const tick = (partition: number, offset: number, symbol: string, observed_at: string, price: string) =>
  record({
    topic: 'ticks',
    partition,
    offset,
    writtenAt: 40 + offset,
    value: { kind: 'price', symbol, source: 'TEST', price, observed_at },
  })

const quote = (offset: number, symbol: string, price: string) =>
  record({ topic: 'quotes', partition: 0, offset, writtenAt: 60 + offset, value: { symbol, price } })

const rowOf = ({ partition, offset, value }: WrittenRecord, columns: StoredRow['row'] = {}): StoredRow => ({
  run: 'run 1',
  storedAt: 1_000,
  lookedAt: 0,
  row: { _partition: partition, _offset: offset, _marker: false, derivation: '', ...value, ...columns },
})

/**
 * What a short run leaves behind in which no promise is broken. Of everything there are two, because a fault in the second is
 * often overlooked: countries, revisions, partitions, symbols, clients, and spans of a client.
 */
export function soundEvidence(): Forged<Evidence> {
  const inflation = { year_over_year: '5.3', month_over_month: '2.0', year_to_date: '2.0' }
  const published = [
    release(0, { country: 'USA', on: '2025-03-01', figures: { value: '100' } }),
    release(1, { country: 'DEU', on: '2025-03-01', figures: { value: '100' } }),
    release(3, { country: 'USA', on: '2025-05-01', figures: { value: '102' } }),
    release(4, { country: 'USA', on: '2025-04-01', figures: { value: '101' }, late: true }),
    release(6, { country: 'DEU', on: '2025-03-01', figures: { value: '95' }, period: '2024-01' }),
    release(7, { country: 'DEU', on: '2025-03-01', figures: { value: '98' }, period: '2024-12' }),
    release(10, { country: 'DEU', on: '2025-06-01', figures: {}, period: '2024-12' }),
  ]
  const derived = { country: 'DEU', indicator: 'inflation' } as const
  const releases = [
    ...published.slice(0, -1),
    release(9, { ...derived, on: '2025-03-01', figures: inflation }),
    ...published.slice(-1),
    release(11, { ...derived, on: '2025-06-01', figures: {} }),
  ]
  const released = releases
    .filter(({ value }) => value.late === false)
    .map(({ offset, value }) => {
      // Cast: as `release` has made it.
      const { country, indicator } = value.series as ReturnType<typeof seriesOf>
      const kinds: Readonly<Record<string, string>> = { '2025-05-01': 'revised', '2025-06-01': 'withdrawn' }
      const kind = kinds[String(value.released_on)] ?? 'published'
      const subject = `${country}/${indicator}/${value.period}`
      return { cause: `releases/0/${offset}`, type: `economics.release.${kind}`, subject, country }
    })
  const stale = { type: 'prices.instrument.stale', subject: 'XAU-USD' }
  const signals = [record({ topic: 'signals', partition: 0, offset: 0, writtenAt: 44, value: stale })]
  const causes = [...released.slice(0, 3), { cause: 'signals/0/0', ...stale, country: null }, ...released.slice(3)]
  const events = causes.map((cause, i) => event([0, 2, 4, 5, 12, 13, 15, 17, 19][i] ?? 0, i + 1, cause))
  const ticks = [
    tick(0, 0, 'XAU-USD', '2026-01-05T00:00:00.001Z', '1000'),
    tick(0, 2, 'XAU-USD', '2026-01-05T00:00:00.002Z', '1001'),
    tick(1, 0, 'EUR-USD', '2026-01-05T00:00:00.002Z', '1.1'),
  ]
  const quarantine = [
    record({
      topic: 'quarantine',
      partition: 0,
      offset: 0,
      writtenAt: 1,
      value: { part: 1, sha256: 'b', location: 'row 2', source: 'TEST', reason: 'letters', input_id: 'i' },
    }),
  ]
  const records = [
    ...releases,
    ...quarantine,
    ...ticks,
    ...signals,
    ...events,
    quote(0, 'XAU-USD', '1001'),
    quote(1, 'EUR-USD', '1.10'),
  ]
  const received = events.map(({ value, writtenAt }) => ({
    ...(value as Omit<ReceivedEvent, 'data' | 'receivedAt'>),
    data: { n: value.sequence },
    receivedAt: writtenAt + 1,
  }))
  const figures = published.map(({ value }) => ({
    series: (value.series as { id: string }).id,
    period: String(value.period),
    on: String(value.released_on),
    value: (value.figures as { value?: string }).value ?? null,
  }))
  const prices = ticks.map(({ value }) => ({
    symbol: String(value.symbol),
    observedAt: String(value.observed_at),
    price: String(value.price),
  }))
  const evidence: Evidence = {
    records,
    documents: [
      { sha256: 'a', figures: figures.slice(0, 2), prices, faults: [], isAcknowledged: true },
      { sha256: 'b', figures: figures.slice(2), prices: [], faults: ['row 2'], isAcknowledged: true },
    ],
    streams: [
      {
        client: 'client 1',
        countries: null,
        types: null,
        spans: [
          { from: 'earliest', askedAt: 0, confirmedAt: 1, events: received.slice(0, 2) },
          { from: 'cursor', askedAt: 30, confirmedAt: 31, events: received.slice(2) },
        ],
      },
      {
        client: 'client 2',
        countries: ['USA'],
        types: null,
        spans: [{ from: 'latest', askedAt: 66, confirmedAt: 67, events: received.slice(2, 3) }],
      },
      {
        client: 'client 3',
        countries: null,
        types: null,
        spans: [
          { from: 'earliest', askedAt: 6, confirmedAt: 7, events: received.slice(0, 1) },
          {
            from: 'expired',
            askedAt: 195,
            confirmedAt: 196,
            events: received.slice(2).map((e) => ({ ...e, receivedAt: 200 })),
          },
        ],
      },
    ],
    ...soundAnswers(),
    tables: {
      vintages: releases.map((each) => rowOf(each, { series: seriesId(each.value) })),
      events: events.map((each) => rowOf(each)),
      ticks: ticks.map((each) => rowOf(each, { observed_at: Date.parse(String(each.value.observed_at)) })),
      quarantine: quarantine.map((each) => rowOf(each)),
    },
    eventStarts: [
      { at: 0, start: 0 },
      { at: 190, start: 4 },
    ],
    failures: [],
  }
  // Cast: a copy of its own may be changed.
  return structuredClone(evidence) as Forged<Evidence>
}
