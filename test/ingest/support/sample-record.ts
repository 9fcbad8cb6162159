import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Series } from '../../../contracts/records.ts'
import { heldFiguresOf } from '../../../ingest/judge/plausible-figures.ts'
import { heldPricesOf } from '../../../ingest/judge/plausible-prices.ts'
import type { Document, Figure, Item, Missing, Price } from '../../../ingest/source.ts'
import { file } from '../../../ingest/sources/file/index.ts'
import { testDocument } from '../../support/releases.ts'

/** A series of the bundled sample with its figures, in order of their periods. */
export type SampleSeries = {
  readonly series: Series
  readonly periods: readonly string[]
  readonly values: readonly number[]
}
const AT = Date.parse('2026-11-23T00:00:00Z')

async function itemsOf(folder: string): Promise<Item[]> {
  const path = join(import.meta.dirname, '../../../sample', folder)
  const files = readdirSync(path).map((name) => join(path, name))
  const items: Item[] = []
  const source = file()
  for await (const document of source.fetch({ files, now: () => new Date(AT) })) items.push(...source.parse(document))
  return items
}

/** The sample's series of one figure each, with the last print of each period. */
export async function sampleSeries(): Promise<SampleSeries[]> {
  const bySeries = new Map<string, { series: Series; values: Map<string, number> }>()
  for (const item of await itemsOf('figures')) {
    if (item.kind !== 'figure') continue
    const [figure, ...others] = Object.values(item.figures)
    if (!figure || others.length > 0) continue
    const known = bySeries.get(item.series.id) ?? { series: item.series, values: new Map<string, number>() }
    bySeries.set(item.series.id, known)
    known.values.set(item.period, Number(figure.printed) * Number(figure.multiplier ?? '1'))
  }
  return [...bySeries.values()].map(({ series, values }) => {
    const periods = [...values.keys()].sort()
    return { series, periods, values: periods.map((period) => values.get(period) ?? Number.NaN) }
  })
}

/** The prices of the sample by symbol, in order of time. */
export async function samplePrices(): Promise<Price[][]> {
  const prices = (await itemsOf('prices')).filter((item) => item.kind === 'price')
  return [...Map.groupBy(prices, ({ symbol }) => symbol).values()].map((all) =>
    all.sort((a, b) => (a.observedAt < b.observedAt ? -1 : 1)),
  )
}

const memberOf = ({ indicator }: Series) =>
  indicator === 'unemployment' || indicator === 'labour-force-participation' ? 'rate' : 'value'

export const figure = (series: Series, period: string, value: number): Figure => ({
  kind: 'figure',
  series,
  period,
  figures: { [memberOf(series)]: { printed: String(value) } },
  location: period,
})
export const missing = (series: Series, period: string): Missing => ({
  kind: 'missing',
  series,
  period,
  location: period,
})

/** How many of the items are held beside the series on record. */
export function heldBeside(record: readonly SampleSeries[], items: readonly Item[], over: Partial<Document> = {}) {
  const onRecord = new Map(
    record.map(({ series, periods, values }) => [
      series.id,
      periods.map((at, i) => ({ at, value: Number(values[i]) })),
    ]),
  )
  const held = heldFiguresOf({ ...testDocument, ...over }, items, {
    valuesOf: (id) => onRecord.get(id) ?? [],
    seriesOf: ({ country, frequency }, indicator) =>
      record.flatMap(({ series }) =>
        series.country === country && series.frequency === frequency && series.indicator === indicator ? [series] : [],
      ),
  })
  return held.map(({ reason, figures }) => [reason, figures.length] as const)
}

/** How many of the prices are held beside those on record. */
export const heldPricesBeside = (record: readonly Price[], prices: readonly Price[]) =>
  heldPricesOf(prices, AT, (_, stated) => ({
    stated,
    record: record.map(({ observedAt, printed }) => ({ at: observedAt, value: Number(printed) })),
  })).map(({ reason, prices }) => [reason, prices.length] as const)

export const totalOf = (held: readonly (readonly [string, number])[]): number =>
  held.reduce((sum, [, count]) => sum + count, 0)
