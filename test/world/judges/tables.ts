import { isDeepStrictEqual } from 'node:util'
import type { Evidence, StoredRow, WrittenRecord } from '../evidence.ts'
import { type Judge, recordsOfTopic, seriesId } from './judge.ts'

type TableModel = {
  readonly topic: string
  readonly hasRow: (value: WrittenRecord['value']) => boolean
  /** Columns that repeat a member of the record, whatever its name there. */
  readonly columns: Readonly<Record<string, (record: WrittenRecord) => unknown>>
}

const same = (...members: readonly string[]): TableModel['columns'] =>
  Object.fromEntries(members.map((member) => [member, ({ value }: WrittenRecord) => value[member]]))

const models: Readonly<Record<string, TableModel>> = {
  vintages: {
    topic: 'releases',
    hasRow: () => true,
    columns: {
      ...same('release_id', 'period', 'revises', 'released_on', 'recorded_at', 'late', 'redates', 'voids'),
      series: ({ value }) => seriesId(value),
      figures: ({ value }) => value.figures,
    },
  },
  events: {
    topic: 'events',
    hasRow: () => true,
    columns: same('sequence', 'id', 'type', 'family', 'country', 'subject', 'time', 'data'),
  },
  ticks: {
    topic: 'ticks',
    hasRow: ({ kind }) => kind === 'price',
    columns: {
      ...same('symbol', 'source', 'price'),
      observed_at: ({ value }) => Date.parse(String(value.observed_at)),
    },
  },
  quarantine: {
    topic: 'quarantine',
    hasRow: ({ part }) => part === 1,
    columns: same('source', 'reason', 'input_id', 'location', 'sha256'),
  },
}

/**
 * The read models have a row for each record that needs one, with its values, and no other row. An equal row of another run of
 * the projector may be there again, because readers see it once: a projector that was stopped or killed may have an insert under
 * way that arrives after its successor has looked what is there (docs/clickhouse.md). What was there then is not written again.
 */
export const judgeTables: Judge = (evidence, isQuiet) =>
  Object.entries(models).flatMap(([table, model]) => faultsOf(table, model, evidence, isQuiet))

function faultsOf(
  table: string,
  { topic, hasRow, columns }: TableModel,
  evidence: Evidence,
  isQuiet: boolean,
): string[] {
  const complaints: string[] = []
  const records = recordsOfTopic(evidence, topic)
  const wanted = new Map(
    records.filter(({ value }) => hasRow(value)).map((record) => [`${record.partition}/${record.offset}`, record]),
  )
  const watermarks = new Map<number, number>()
  const seen = new Map<string, StoredRow>()
  const written = new Set<string>()
  for (const stored of evidence.tables[table] ?? []) {
    const { row, run, lookedAt } = stored
    const [partition, offset] = [Number(row._partition), Number(row._offset)]
    watermarks.set(partition, Math.max(offset, watermarks.get(partition) ?? -1))
    if (row._marker === true) continue
    const place = `${partition}/${offset}`
    const record = wanted.get(place)
    const before = seen.get(place)
    if (before && !isDeepStrictEqual(before.row, row)) complaints.push(`table ${table} has different rows of ${place}`)
    if (before && before.storedAt < lookedAt)
      complaints.push(`table ${table} has the row of ${place} again from a run that had seen it`)
    if (!before) seen.set(place, stored)
    const writtenByRun = `${run} ${place}`
    if (written.has(writtenByRun)) complaints.push(`table ${table} has the row of ${place} twice from one run`)
    written.add(writtenByRun)
    if (!record) {
      complaints.push(`table ${table} has a row of ${place}, which has no record for it`)
      continue
    }
    for (const [column, cellOf] of Object.entries(columns))
      if (!isDeepStrictEqual(row[column], cellOf(record)))
        complaints.push(`table ${table} has ${column} of ${place} as ${row[column]}, not ${cellOf(record)}`)
  }
  for (const [place, { partition, offset }] of wanted) {
    if (seen.has(place)) continue
    if (isQuiet || offset <= (watermarks.get(partition) ?? -1)) complaints.push(`table ${table} lacks ${place}`)
  }
  return complaints
}
