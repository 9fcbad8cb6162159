/**
 * Our readers beside a bare parser of the same bytes, and accepting figures beside bare Avro encoding of the releases that
 * come of them. In figures for a second of the process's own CPU time, in turns, because other work disturbs the clock.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import avro from 'avsc'
import { parse } from 'csv-parse/sync'
import { SaxesParser } from 'saxes'
import { avroSchemas } from '../../contracts/avro.ts'
import type { Release } from '../../contracts/records.ts'
import { periodsOfYear } from '../../domain/period.ts'
import { Acceptor } from '../../ingest/accept.ts'
import { readObservations } from '../../ingest/formats/read-observations.ts'
import { bytePieces } from '../../ingest/formats/text.ts'
import type { Figure } from '../../ingest/source.ts'
import { openEmbeddedJournal } from '../../journal/embedded/journal.ts'
import { localRegistry } from '../../journal/registry.ts'
import { TypedJournal } from '../../journal/typed.ts'
import { testDocument, testSeries } from '../support/releases.ts'
import { type Measure, median } from './measure.ts'

const ROUNDS = 7
const SERIES = 200
const years = Array.from({ length: 20 }, (_, i) => String(2000 + i))
const periods = years.flatMap((year) => periodsOfYear('M', year))
const OBSERVATIONS = SERIES * periods.length
const areas = Array.from({ length: SERIES }, (_, i) => `A${i}`)

const formats: readonly { name: string; text: string; bare: (bytes: Buffer) => unknown }[] = [
  { name: 'SDMX-ML 2.1 beside saxes', text: sdmxMl(), bare: (bytes) => new SaxesParser().write(String(bytes)).close() },
  { name: 'SDMX-CSV beside csv-parse', text: sdmxCsv(), bare: (bytes) => parse(bytes) },
  { name: 'JSON-stat 2 beside JSON.parse', text: jsonStat(), bare: (bytes) => JSON.parse(String(bytes)) },
]

export async function bench(): Promise<Measure[]> {
  const measures: Measure[] = []
  for (const { name, text, bare } of formats) {
    const bytes = Buffer.from(text)
    const read = () => {
      let count = 0
      for (const { kind } of readObservations(bytePieces(bytes))) if (kind === 'observation') count++
      if (count !== OBSERVATIONS) throw new Error(`${name}: ${count} of ${OBSERVATIONS} observations`)
    }
    const [ours, ceiling] = await inTurns(OBSERVATIONS, read, () => bare(bytes))
    measures.push({ name, ours, ceiling, unit: 'figures/CPU s' })
  }
  return [...measures, await accepting()]
}

async function accepting(): Promise<Measure> {
  const directory = mkdtempSync(join(tmpdir(), 'almanac-bench-'))
  try {
    const figures = ['USA', 'CAN', 'DEU', 'FRA', 'GBR', 'JPN', 'AUS', 'NLD', 'SGP', 'MYS'].flatMap((country) =>
      ['T1', 'T2', 'T3', 'T4', 'T5', 'T6', 'T7', 'T8'].flatMap((dataset) =>
        periods.map(
          (period, i): Figure => ({
            kind: 'figure',
            series: testSeries({ country, dataset }),
            period,
            figures: { value: { printed: `${100 + i}.5` } },
            location: `line ${i}`,
          }),
        ),
      ),
    )
    const type = avro.Type.forSchema(avroSchemas.releases as avro.Schema)
    let releases: readonly Release[] = []
    let journal: TypedJournal | undefined
    let round = 0
    const accept = async () => {
      const dir = join(directory, String(round++))
      journal = await TypedJournal.open(await openEmbeddedJournal({ dir }), localRegistry())
      await new Acceptor(journal).accept({ ...testDocument, lastUpdated: '2025-12-01' }, figures)
    }
    await accept()
    for await (const { records } of journal?.readToEnd('releases', 0) ?? [])
      releases = [...releases, ...records.map(({ value }) => value)]
    const encode = () => {
      for (const release of releases) type.toBuffer(release)
    }
    const [ours, ceiling] = await inTurns(figures.length, accept, encode, () => journal?.close())
    return { name: 'accept beside Avro encoding', ours, ceiling, unit: 'figures/CPU s' }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Medians of the rates of both, after a first turn that compiles them. `after` is not counted. */
async function inTurns(
  count: number,
  ours: () => unknown,
  bare: () => unknown,
  after: () => unknown = () => undefined,
): Promise<[number, number]> {
  const rates: [number[], number[]] = [[], []]
  for (let round = 0; round <= ROUNDS; round++) {
    const took = [await cpuSeconds(ours), await cpuSeconds(bare)] as const
    await after()
    if (round === 0) continue
    rates[0].push(count / took[0])
    rates[1].push(count / took[1])
  }
  return [median(rates[0]), median(rates[1])]
}

async function cpuSeconds(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

function sdmxMl(): string {
  const series = areas.map((area) => {
    const observations = periods.map(
      (period, i) => `<g:Obs><g:ObsDimension value="${period}"/><g:ObsValue value="${100 + i}.5"/></g:Obs>`,
    )
    const key = `<g:SeriesKey><g:Value id="FREQ" value="M"/><g:Value id="REF_AREA" value="${area}"/></g:SeriesKey>`
    return `<g:Series>${key}${observations.join('')}</g:Series>`
  })
  return `<m:GenericData xmlns:m="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message" xmlns:g="g" xmlns:c="c"><m:Header><m:Structure structureID="S" dimensionAtObservation="TIME_PERIOD"><c:StructureUsage><Ref agencyID="TEST" id="FLOW" version="1.0"/></c:StructureUsage></m:Structure></m:Header><m:DataSet structureRef="S">${series.join('')}</m:DataSet></m:GenericData>`
}

function sdmxCsv(): string {
  const rows = areas.flatMap((area) => periods.map((period, i) => `TEST:FLOW(1.0),M,${area},${period},${100 + i}.5\n`))
  return `DATAFLOW,FREQ,REF_AREA,TIME_PERIOD,OBS_VALUE\n${rows.join('')}`
}

function jsonStat(): string {
  const category = (codes: readonly string[]) => ({ category: { index: codes } })
  return JSON.stringify({
    version: '2.0',
    class: 'dataset',
    id: ['geo', 'time'],
    size: [areas.length, periods.length],
    role: { time: ['time'] },
    dimension: { geo: category(areas), time: category(periods) },
    value: areas.flatMap(() => periods.map((_, i) => 100.5 + i)),
    extension: { id: 'FLOW', agencyId: 'TEST', version: '1.0' },
  })
}
