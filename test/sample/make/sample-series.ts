import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Series } from '../../../contracts/records.ts'
import { canonicalDecimal } from '../../../domain/decimal.ts'
import { documentOf, type Figure, type FigureOrigin } from '../../../ingest/source.ts'
import { parseFile } from '../../../ingest/sources/file/parse.ts'

/** A series of the sample with its current figures, as its files state it. */
export type SampleSeries = {
  readonly series: Series
  readonly publisher: string
  /** Where the newest print was taken from. */
  readonly origin: FigureOrigin
  /** Newest print of the first member by period, in the order of periods. */
  readonly current: ReadonlyMap<string, string>
  /** Days from which there are prints, and on what they rest. */
  readonly vintages: ReadonlySet<string>
  readonly bases: ReadonlySet<string>
}

type Print = { readonly publisher: string; readonly figure: Figure }

/** Every series of `sample/figures`, by `COUNTRY indicator`. */
export function sampleSeries(): ReadonlyMap<string, SampleSeries[]> {
  const folder = resolve(import.meta.dirname, '../../../sample/figures')
  const prints = readdirSync(folder)
    .sort()
    .flatMap((name) => printsOf(readFileSync(join(folder, name))))
  const all = [...Map.groupBy(prints, ({ figure }) => figure.series.id).values()].map(seriesOfPrints)
  return Map.groupBy(all, ({ series }) => `${series.country} ${series.indicator}`)
}

function printsOf(bytes: Uint8Array): Print[] {
  const publisher = /^# publisher: (.*)$/m.exec(Buffer.from(bytes).toString())?.[1] ?? ''
  const known = { source: 'FILE', dataset: '', publisher, licence: '', url: '', retrievedAt: null }
  return [...parseFile(documentOf(bytes, known))].flatMap((item) =>
    item.kind === 'figure' ? [{ publisher, figure: item }] : [],
  )
}

function seriesOfPrints(prints: readonly Print[]): SampleSeries {
  const dated = prints.toSorted((a, b) => compareText(dayOf(a), dayOf(b)))
  const newest = dated.at(-1)
  if (!newest?.figure.origin) throw new Error(`${prints[0]?.figure.series.id} says nothing of its copy.`)
  const periods = new Map(dated.map(({ figure }) => [figure.period, firstFigure(figure)]))
  return {
    series: newest.figure.series,
    publisher: newest.publisher,
    origin: newest.figure.origin,
    current: new Map([...periods].sort(([a], [b]) => compareText(a, b))),
    vintages: new Set(dated.map(dayOf)),
    bases: new Set(dated.map(({ figure }) => figure.released?.basis ?? 'none')),
  }
}

const dayOf = ({ figure }: Print): string => figure.released?.on ?? ''
const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function firstFigure({ figures }: Figure): string {
  const [first] = Object.values(figures)
  return first ? canonicalDecimal(first.printed, first) : ''
}
