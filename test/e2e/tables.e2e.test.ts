import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tableTopics } from '../../archive/iceberg/tables.ts'
import type { Event, EventPage } from '../../contracts/events.ts'
import type { Release } from '../../contracts/records.ts'
import { streamPath } from '../../contracts/streams.ts'
import { topics } from '../../contracts/topics.ts'
import { Client } from '../streams/support.ts'
import { runCommand } from '../support/command.ts'
import { startSample } from '../support/demo.ts'
import { until } from '../support/journal.ts'
import type { Service } from '../support/service.ts'

/** The tables of a running service in engines that share no code with it. */
const engines = join(import.meta.dirname, '../archive/iceberg/engines')
const python = join(engines, '.venv/bin/python')
const hasNoEngines = !existsSync(python) && process.env.CI !== 'true'
if (hasNoEngines)
  console.warn('tables: not tested, because their engines are missing (run test/archive/iceberg/engines/make-venv)')

type Counted = readonly [partition: number, count: number, greatest: number, sum: string]
type Found = {
  readonly duckdb: Readonly<Record<string, readonly Counted[]>> & {
    readonly values: readonly (readonly [offset: number, value: string | null, recorded_at: string])[]
    readonly pruned: number
  }
  readonly pyiceberg: Readonly<
    Record<string, readonly { _partition: number; _offset_count: number; _offset_max: number }[]>
  > & {
    readonly tables: readonly string[]
    readonly missing: readonly boolean[]
    readonly summary: Readonly<Record<string, string>>
    readonly sequences: readonly number[]
    readonly values: readonly (readonly [offset: number, value: string | null])[]
    readonly refused: string
  }
}
type Line<V> = { readonly partition: number; readonly offset: number; readonly value: V }

let dataDir: string
let service: Service
let key: string
let found: Found

/** Records of a topic in the journal, by the program's own reader. */
async function journalLines<V>(topic: string): Promise<Line<V>[]> {
  const { code, stdout, stderr } = await runCommand(['replay', topic], { ALMANAC_DATA_DIR: dataDir })
  expect(code, stderr).toBe(0)
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line<V>)
}

/** A decimal as DECIMAL(38, 18) shows it. */
function padded(decimal: string): string {
  const [whole, fraction = ''] = decimal.split('.')
  return `${whole}.${fraction.padEnd(18, '0')}`
}

/** Ingests other figures of the last two months of American CPI, published today. */
async function reviseTwoMonths(): Promise<void> {
  const sample = await readFile(join(import.meta.dirname, '../../sample/figures/cpi-USA-bls.csv'), 'utf8')
  const head = sample.split('\n').filter((line) => line.startsWith('# ') && !/^# (rows|copy_\w+|sha256):/.test(line))
  const today = new Date().toISOString().slice(0, 10)
  const rows = sample
    .trimEnd()
    .split('\n')
    .slice(-2)
    .map((row) => `${row}1,${today}`)
  const file = join(dataDir, 'revised.csv')
  await writeFile(file, [...head, 'period,value,released_on', ...rows, ''].join('\n'))
  const { code, stdout, stderr } = await runCommand(['ingest', 'file', file], { ALMANAC_DATA_DIR: dataDir })
  expect([code, stdout], stderr).toEqual([0, expect.stringContaining('2 revised')])
}

const load = async (table: string) => {
  const answer = await fetch(`${service.base}/iceberg/v1/namespaces/almanac/tables/${table}`, {
    headers: { authorization: `Bearer ${key}` },
  })
  // Cast: the catalogue's own form.
  const { metadata } = (await answer.json()) as { metadata: { snapshots: [{ summary: Record<string, string> }] } }
  return metadata.snapshots[0].summary
}

describe.skipIf(hasNoEngines)('the tables of a running service', () => {
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'almanac-e2e-'))
    service = await startSample(dataDir, {
      ALMANAC_ARCHIVE: join(dataDir, 'archive'),
      ALMANAC_ARCHIVE_SEAL_SECONDS: '1',
      ALMANAC_TABLES: 'pro',
    })
    key = (await service.keys()).pro
    const sample = (await journalLines<Release>('releases')).length
    await until('the sample and some prices are archived', async () => {
      const [releases, ticks] = await Promise.all([load('releases'), load('ticks')])
      return Number(releases['total-records']) >= sample && Number(ticks['total-records']) > 100
    })
    await until('they are published too', async () => {
      const shared = await fetch(`${service.base}/iceberg/v1/shared/namespaces/almanac/tables/releases`, {
        headers: { authorization: `Bearer ${key}` },
      })
      const { metadata } = (await shared.json()) as { metadata: { snapshots: [{ summary: Record<string, string> }] } }
      return Number(metadata.snapshots[0].summary['total-records']) >= sample
    })
    const { stdout } = await promisify(execFile)(python, [join(engines, 'read_tables.py'), service.base, key], {
      maxBuffer: 2 ** 26,
    })
    found = JSON.parse(stdout)
  })
  afterAll(async () => {
    await service?.destroy()
    await rm(dataDir, { recursive: true, force: true })
  })

  it.each(tableTopics)('have the records of the journal: %s', async (topic) => {
    const lines = await journalLines(topic)
    for (const [partition, count, greatest, sum] of found.duckdb[topic] ?? []) {
      const held = lines.filter((line) => line.partition === partition && line.offset <= greatest)
      // The journal compacts these topics, and the archive does not.
      if (topics[topic].cleanup === 'compact') {
        expect(count).toBeGreaterThanOrEqual(held.length)
        continue
      }
      expect([partition, count, sum]).toEqual([
        partition,
        held.length,
        String(held.reduce((all, { offset }) => all + offset, 0)),
      ])
    }
    for (const { _partition, _offset_count, _offset_max } of found.pyiceberg[topic] ?? []) {
      const held = lines.filter(({ partition, offset }) => partition === _partition && offset <= _offset_max)
      if (topics[topic].cleanup === 'compact') expect(_offset_count).toBeGreaterThanOrEqual(held.length)
      else expect(_offset_count).toBe(held.length)
    }
    expect(found.duckdb[topic]?.length).toBeGreaterThan(0)
    expect(found.pyiceberg[topic]?.length).toBeGreaterThan(0)
  })

  it('answer the first query of docs/iceberg.md', async () => {
    const program = join(import.meta.dirname, '../../docs/examples/first_query.py')
    const env = { ...process.env, ALMANAC_KEY: key }
    const { stdout } = await promisify(execFile)(python, [program, service.base], { env })
    const prints = (await journalLines<Release>('releases')).filter(
      ({ value: { series } }) => series.country === 'USA' && series.indicator === 'gdp',
    )
    expect(prints.length).toBeGreaterThan(1_000)
    expect(stdout).toContain(`${prints.length} rows`)
    const first = prints.toSorted((a, b) => a.value.period.localeCompare(b.value.period) || a.offset - b.offset)[0]
    expect(stdout).toContain(`${first?.value.period} │`)
    expect(stdout).toContain(padded(first?.value.figures.value ?? ''))
  })

  it('have exact decimals and times', async () => {
    const lines = await journalLines<Release>('releases')
    const byOffset = new Map(lines.map(({ offset, value }) => [offset, value]))
    const expected = found.duckdb.values.map(([offset]) => {
      const release = byOffset.get(offset)
      const value = release?.figures.value
      return [offset, value === undefined ? null : padded(value), release?.recorded_at]
    })
    expect(found.duckdb.values).toEqual(expected)
    const held = new Map(found.duckdb.values.map(([offset, value]) => [offset, value]))
    expect(found.pyiceberg.values.length).toBeGreaterThan(10_000)
    for (const [offset, value] of found.pyiceberg.values)
      expect(value === 'None' ? null : value).toBe(held.get(offset) ?? null)
    const inRange = lines.filter(({ offset }) => offset >= 100 && offset <= 199)
    expect(found.duckdb.pruned).toBe(inRange.length)
  })

  it('join the pages and the stream of events without a gap or a duplicate', async () => {
    const { summary, sequences } = found.pyiceberg
    const last = Number(summary['almanac.sequence'])
    expect(sequences.toSorted((a, b) => a - b)).toEqual(Array.from({ length: last }, (_, n) => n + 1))
    const cursor = String(summary['almanac.cursor'])
    const headers = { authorization: `Bearer ${key}` }
    const stream = new Client(service.streams + streamPath('events'), { headers })
    await stream.seen('ready')
    stream.send({ action: 'subscribe', cursor })
    // By itself the service may have no event for minutes.
    await reviseTwoMonths()
    const events = await stream.seen('event', 2)
    const sent = events.map(({ event }) => Number((event as Event).sequence))
    expect(sent.slice(0, 2)).toEqual([last + 1, last + 2])
    await until('the pages have them too', async () => {
      const page = await fetch(`${service.base}/v1/events?limit=2&cursor=${cursor}`, { headers })
      const { events } = (await page.json()) as EventPage
      return events.length === 2 && events.every(({ sequence }, n) => Number(sequence) === last + 1 + n)
    })
  })

  it('are read-only, and those of public topics', () => {
    expect(found.pyiceberg.tables).toEqual(tableTopics.toSorted())
    expect(found.pyiceberg.missing).toEqual([false, false])
    expect(found.pyiceberg.refused).toContain('Server does not support endpoint')
  })
})
