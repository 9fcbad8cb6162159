import { rowPerRecord } from '../../view.ts'

/** Every accepted price. A timer gives no row. `appended_at` is the record's time in the journal. */
export const ticks = rowPerRecord({
  name: 'ticks',
  topic: 'ticks',
  table: new URL('./table.sql', import.meta.url),
  where: ({ kind }) => kind === 'price',
  partitionedBy: monthOf,
  gathers: true,
  // A day less than the TTL, because a comparison takes some time.
  kept: 'appended_at > now() - INTERVAL 59 DAY',
  marker: { observed_at: 0, appended_at: (at) => at },
  cells: {
    symbol: ({ symbol }) => symbol,
    source: ({ source }) => source,
    price: ({ price }) => price,
    observed_at: ({ observed_at }) => Date.parse(observed_at),
    appended_at: (_, { timestamp }) => timestamp,
    url: ({ url }) => url,
  },
})

/** Months since year 0 of an instant in UTC milliseconds. The number changes when ClickHouse's toYYYYMM does. */
function monthOf(at: number): number {
  const date = new Date(at)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}
