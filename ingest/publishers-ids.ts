import type { Series } from '../contracts/records.ts'
import { type PublishersId, PublishersIds } from '../domain/publishers-ids.ts'
import { type MappedDataset, type MappingRow, seriesOfMeaning } from './map/mapping.ts'
import { gemMapping } from './map/publishers/gem.ts'
import { readMappingRows } from './map/read-rows.ts'
import { mappedPublishers } from './sources/index.ts'

/** Sources with a parser of their own, by the name of their file of rows. */
const ownFormats = { fred: 'FRED', 'world-bank': 'WB', bis: 'BIS', comtrade: 'UNSD' } as const

/** Reads the ids of publishers from the rows by which ingest maps their documents, so that the two cannot disagree. */
export async function readPublishersIds(): Promise<PublishersIds> {
  const mapped = await Promise.all(Object.values(mappedPublishers).map((load) => load()))
  return new PublishersIds([
    ...[...mapped, gemMapping].flatMap(({ name, datasets, rows }) =>
      [...rows.values()].flat().flatMap((row) => idOf(name, row, datasets[row.dataset])),
    ),
    ...Object.entries(ownFormats).flatMap(([file, source]) =>
      [...readMappingRows(file).values()].flat().flatMap((row) => idOf(source, row)),
    ),
  ])
}

/** The id of a row; none of a series that is known and not read. */
function idOf(source: string, row: MappingRow, described?: MappedDataset): PublishersId[] {
  const { meaning, countries, key } = row
  if (meaning === undefined) return []
  const number = described?.series === undefined ? undefined : key[described.series]
  const dataset = number ?? row.dataset
  const names = (series: Series): boolean =>
    series.source === source &&
    series.dataset === dataset &&
    series.indicator === meaning.indicator &&
    (countries === '*' || countries.has(series.country)) &&
    series.id === seriesOfMeaning(meaning, series, { period: series.base_period, value: series.base_value }).id
  const { indicator, frequency } = meaning
  const id = (described?.idIn === undefined ? undefined : key[described.idIn]) ?? dataset
  return [{ id, source, dataset, title: row.title, countries, indicator, frequency, names }]
}
