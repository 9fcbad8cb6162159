import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import Big from 'big.js'
import { describe, expect, it } from 'vitest'
import { type ExportFormat, exportFormats } from '../../../archive/export/question.ts'
import type { Release } from '../../../contracts/records.ts'
import type { Topic } from '../../../contracts/topics.ts'
import type { JournalRecord, TypedJournal } from '../../../journal/typed.ts'
import { openEmbeddedTestJournal } from '../../support/embedded-journal.ts'
import { recordsOf } from '../../support/journal.ts'
import { eventNumber, rejectedNumber, releaseNumber } from '../../support/journal-records.ts'
import { hasNoPython, python } from '../../support/python.ts'
import { NOON, priceTick } from '../../support/ticks.ts'
import { exported, questionOf } from '../support/exports.ts'

type Row = Readonly<Record<string, unknown>>

const program = join(import.meta.dirname, '../support/read-export.py')

/** Rows of an export, by engine. */
function readBy(format: ExportFormat, directory: string): Readonly<Record<string, readonly Row[]>> {
  const printed = execFileSync(python, [program, directory, format], { encoding: 'utf8', maxBuffer: 64_000_000 })
  return JSON.parse(printed) as Record<string, Row[]>
}

/** The least and the greatest of DECIMAL(38, 18) among them, and what has no exact double. */
const decimals = [
  '0',
  '-0.1',
  '1234.56',
  '0.000000000000000001',
  '-0.000000000000000001',
  '99999999999999999999.999999999999999999',
  '-99999999999999999999.999999999999999999',
  '9007199254740993',
  '0.1',
  '-18446744073709551616.5',
]
const TOO_LARGE = `1${'0'.repeat(30)}`
/** Values that every format has to quote or to escape. */
const texts = ['', 'a,b', '"quoted"', 'two\nlines', 'ä€😀', '\\', 'null', 'NaN', ' ']

async function filledJournal(): Promise<TypedJournal> {
  const { journal } = await openEmbeddedTestJournal()
  for (const [n, price] of [...decimals, TOO_LARGE, ''].entries()) {
    const value = { ...priceTick(price, { recorded: NOON + n }), url: texts[n % texts.length] ?? '' }
    await journal.append('ticks', n % 3, [{ value, id: `tck_${n}`, at: NOON + n }])
  }
  for (const [n, figure] of decimals.entries()) {
    const release: Release = {
      ...releaseNumber(n),
      figures: { value: figure, other: '1.5' },
      provenance: n % 2 === 0 ? null : releaseNumber(n).provenance,
      inputs: texts.slice(0, n % 3),
    }
    await journal.append('releases', 0, [{ value: release, id: release.release_id, at: NOON + n }])
    const event = { ...eventNumber(n), data: JSON.stringify(texts[n % texts.length]) }
    await journal.append('events', 0, [{ value: event, id: event.id, at: NOON + n }])
    await journal.append('quarantine', 0, [{ value: rejectedNumber(n), id: `rej_${n}`, at: NOON + n }])
  }
  return journal
}

const asDecimal = (text: string): string | null => {
  if (text === '' || text === TOO_LARGE) return null
  return new Big(text).toFixed(18).replace(/^-(0\.0+)$/, '$1')
}
const asTime = (text: string): string => text.replace('Z', '000+00:00')
const byPlace = (a: Row, b: Row) =>
  Number(a._partition ?? a.partition) - Number(b._partition ?? b.partition) ||
  Number(a._offset ?? a.offset) - Number(b._offset ?? b.offset)

/** What the columns of the archive's table have to hold for these records. */
const tableRow = {
  ticks: ({ value }: JournalRecord<'ticks'>): Row => ({
    symbol: value.symbol,
    price: asDecimal(value.price),
    observed_at: asTime(value.observed_at),
    url: value.url,
  }),
  releases: ({ value }: JournalRecord<'releases'>): Row => ({
    value: asDecimal(value.figures.value ?? ''),
    figures: { value: asDecimal(value.figures.value ?? ''), other: asDecimal('1.5') },
    provenance_location: value.provenance?.location ?? null,
    released_on: value.released_on,
    inputs: value.inputs,
  }),
  events: ({ value }: JournalRecord<'events'>): Row => ({
    sequence: value.sequence,
    country: value.country,
    data: value.data,
  }),
  quarantine: ({ value }: JournalRecord<'quarantine'>): Row => ({
    part: value.part,
    bytes: Buffer.from(value.bytes).toString('base64'),
  }),
}
const exportedTopics = ['ticks', 'releases', 'events', 'quarantine'] as const

async function allRecords<T extends Topic>(journal: TypedJournal, topic: T): Promise<JournalRecord<T>[]> {
  const partitions = topic === 'ticks' ? [0, 1, 2] : [0]
  return (await Promise.all(partitions.map((partition) => recordsOf(journal, topic, partition)))).flat()
}

/** The journal's value as plain JSON, bytes as base64. */
const plain = (value: object): unknown =>
  Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      member instanceof Uint8Array ? Buffer.from(member).toString('base64') : member,
    ]),
  )

describe.skipIf(hasNoPython)('an export', () => {
  it.each(exportFormats)('in %s has every record, exactly, for engines that share no code with it', async (format) => {
    const journal = await filledJournal()
    for (const topic of exportedTopics) {
      const { directory } = await exported(journal, questionOf({ topics: [topic], format }))
      const records = await allRecords(journal, topic)
      expect(records.length).toBeGreaterThanOrEqual(decimals.length)
      const read = readBy(format, directory)
      expect(Object.keys(read).length).toBeGreaterThan(0)
      for (const [engine, rows] of Object.entries(read)) {
        const found = rows.toSorted(byPlace)
        expect(
          found.map((row) => Number(row._offset ?? row.offset)),
          engine,
        ).toEqual(records.map((r) => r.offset))
        for (const [at, record] of records.entries())
          assertRow(format, engine, found[at] ?? {}, record as JournalRecord<Topic>)
      }
    }
  })
})

function assertRow(format: ExportFormat, engine: string, row: Row, record: JournalRecord<Topic>): void {
  const { topic, partition, key, headers, timestamp, value } = record
  if (format === 'avro') {
    const time = asTime(new Date(timestamp).toISOString())
    expect(row).toMatchObject({ topic, partition, key, headers, timestamp: time, value: plain(value) })
  } else if (format === 'ndjson') {
    expect(row).toMatchObject({ partition, key })
    expect(JSON.parse(String(row.value))).toEqual(plain(value))
  } else if (format === 'csv') {
    expect(row).toMatchObject({
      _topic: topic,
      _partition: String(partition),
      _key: key ?? (engine === 'pandas' ? '' : null),
    })
    expect(JSON.parse(String(row._headers))).toEqual({ ...headers })
    if (topic === 'ticks') expect([row.price ?? '', row.url ?? '']).toEqual(members(value, ['price', 'url']))
    if (topic === 'releases') expect(JSON.parse(String(row.figures))).toEqual(members(value, ['figures'])[0])
    if (topic === 'events') expect(row.data).toBe(members(value, ['data'])[0])
  } else {
    const expected = (tableRow[topic as keyof typeof tableRow] as (record: JournalRecord<Topic>) => Row)(record)
    const time = asTime(new Date(timestamp).toISOString())
    expect(row).toMatchObject({
      _topic: topic,
      _partition: partition,
      _time: time,
      _key: key,
      _headers: headers,
      ...expected,
    })
  }
}

const members = (value: object, names: readonly string[]): unknown[] =>
  // Cast: members are read by name.
  names.map((name) => (value as Readonly<Record<string, unknown>>)[name])
