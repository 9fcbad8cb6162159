import { isPublic, servedIndicators } from '../contracts/indicators.ts'
import { frequencyOrder } from '../contracts/serving.ts'
import { bySpelling } from '../domain/publishers-ids.ts'
import type { SeriesRecord } from '../domain/release-index.ts'
import type { Searched, SearchedCell, SearchedId } from '../domain/search.ts'
import { compareForServing } from '../domain/served-series.ts'
import type { ApiDeps } from './deps.ts'
import { newestIn } from './newer-figures.ts'
import { searchVocabulary } from './search-terms.ts'

type Deps = Pick<ApiDeps, 'figures' | 'releaseIndex' | 'publishersIds'>
/** What a search may find, and the public series behind it. */
type Catalogued = Searched & { readonly records: readonly SeriesRecord[] }

/**
 * Returns a function that gives what a search may find: the vocabulary, the cells with figures, and all ids of the public series.
 * It is made again once anything was recorded.
 */
export function searchedFrom({ figures, releaseIndex, publishersIds }: Deps): () => Catalogued {
  let made: { readonly count: number; readonly searched: Catalogued } | undefined
  return () => {
    const { count } = releaseIndex
    if (made?.count !== count) {
      const records = releaseIndex.series().filter(({ series }) => isPublic(series.indicator, series.country))
      const ids = bySpelling(idsOf(records, publishersIds.all))
      made = { count, searched: { vocabulary: searchVocabulary(), cells: cellsIn(figures), ids, records } }
    }
    return made.searched
  }
}

const cellsIn = (figures: Deps['figures']): SearchedCell[] =>
  servedIndicators.flatMap((indicator) =>
    figures.countries(indicator).flatMap((country): SearchedCell | [] => {
      if (!isPublic(indicator, country)) return []
      const frequencies = frequencyOrder.filter((one) => newestIn(figures, country, indicator, one) !== '')
      return frequencies.length > 0 ? { country, indicator, frequencies } : []
    }),
  )

function idsOf(records: readonly SeriesRecord[], listed: ApiDeps['publishersIds']['all']): SearchedId[] {
  const all = records.map(({ series }) => series).sort(compareForServing)
  const onRecord = all.flatMap((series): SearchedId[] => {
    const of = { series, countries: new Set([series.country]), indicator: series.indicator }
    return [
      { id: series.id, ...of },
      { id: series.dataset, ...of },
    ]
  })
  const byDataset = Map.groupBy(all, ({ source, dataset }) => `${source} ${dataset}`)
  const further = listed.flatMap((one): SearchedId[] => {
    const { id, source, dataset, countries, indicator } = one
    const series = (byDataset.get(`${source} ${dataset}`) ?? []).filter(one.names)
    if (series.length === 0) return [{ id, series: null, countries, indicator }]
    // Those whose dataset is the id are there already.
    return series
      .filter((each) => each.dataset !== id)
      .map((each) => ({ id, series: each, countries: new Set([each.country]), indicator }))
  })
  return [...onRecord, ...further]
}
