import type { Tick } from '../../../contracts/records.ts'
import type { TypedJournal } from '../../../journal/typed.ts'

export const tick = (
  symbol: string,
  price: string,
  observedAt: number,
  { source = 'TEST', recordedAt = observedAt }: { source?: string; recordedAt?: number } = {},
): Tick => ({
  kind: 'price',
  symbol,
  source,
  price,
  observed_at: new Date(observedAt).toISOString(),
  recorded_at: new Date(recordedAt).toISOString(),
  url: '',
})

export const timer = (symbol: string, dueAt: number): Tick => ({
  ...tick(symbol, '', dueAt, { source: '' }),
  kind: 'timer',
})

/** Appends in order, each tick to its symbol's partition, as recorded when it says. */
export async function appendTicks(journal: TypedJournal, ticks: readonly Tick[]): Promise<void> {
  const byPartition = Map.groupBy(ticks, ({ symbol }) => journal.partitionFor('ticks', symbol))
  for (const [partition, values] of byPartition) {
    const drafts = values.map((value, i) => ({ value, id: `tick-${i}`, at: Date.parse(value.recorded_at) }))
    await journal.append('ticks', partition, drafts)
  }
}
