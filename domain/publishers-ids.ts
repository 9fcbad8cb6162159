import type { Indicator } from '../contracts/indicators.ts'
import type { Frequency, Series } from '../contracts/records.ts'
import { compareForServing } from './served-series.ts'

/** An id under which a publisher lists a series, or a dataset of several series, and what ingest reads it as. */
export type PublishersId = {
  /** As the publisher writes it, e.g. `CPIAUCSL`, `LNS14000000` or `UNE_RT_M`. */
  readonly id: string
  /** Agency code of the publisher, as in `Series.source`. */
  readonly source: string
  /** The `dataset` of the series that are read under it. */
  readonly dataset: string
  /** What it is, for people; empty where the mapping has no title. */
  readonly title: string
  /** Its countries; `*` for every country of the dataset. */
  readonly countries: ReadonlySet<string> | '*'
  readonly indicator: Indicator
  readonly frequency: Frequency
  /** Whether ingest gives what it reads under this id the id of `series`. */
  readonly names: (series: Series) => boolean
}

/** Anything on record about one series. */
type OfSeries = { readonly series: Series }

/**
 * The ids of publishers as aliases of series. One id may name several series: a dataset has many countries, and a series with
 * another base is another series. So an id is looked up among the series that are on record.
 */
export class PublishersIds {
  readonly all: readonly PublishersId[]
  readonly #byId: ReadonlyMap<string, readonly PublishersId[]>

  constructor(all: readonly PublishersId[]) {
    this.all = all
    this.#byId = bySpelling(all)
  }

  /** What an id is read as, in any letter case; empty if ingest does not know it. */
  readAs(id: string): readonly PublishersId[] {
    return this.#byId.get(id.toUpperCase()) ?? []
  }

  /**
   * Those of `records` whose series a publisher lists under `id`, in any letter case, best first in the order of serving. An id
   * that ingest does not know names the series whose dataset it is, because files may have any dataset.
   */
  seriesOf<T extends OfSeries>(id: string, records: Iterable<T>): T[] {
    const read = this.readAs(id)
    const wanted = id.toUpperCase()
    return [...records]
      .filter(({ series }) => spellings(series.dataset).includes(wanted) || read.some((one) => one.names(series)))
      .sort((a, b) => compareForServing(a.series, b.series))
  }
}

/** How an id may be written: `DSD_LFS@DF_IALFS_UNE_M` also without the data structure before its dataflow. */
function spellings(id: string): string[] {
  const written = id.toUpperCase()
  const [, dataflow] = written.split('@')
  return dataflow === undefined ? [written] : [written, dataflow]
}

/** Entries by how their ids may be written, in capitals. */
export function bySpelling<T extends { readonly id: string }>(all: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const spelled = all.flatMap((one) => spellings(one.id).map((id) => ({ id, one })))
  return new Map([...Map.groupBy(spelled, ({ id }) => id)].map(([id, own]) => [id, own.map(({ one }) => one)]))
}
