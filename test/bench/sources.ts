/**
 * Our readers beside a bare parser of the same bytes, and accepting figures beside bare Avro encoding of the releases that
 * come of them. In figures for a second of the process's own CPU time, in turns, because other work disturbs the clock.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import avro from 'avsc'
import { parse } from 'csv-parse/sync'
import { unzipSync } from 'fflate'
import { SaxesParser } from 'saxes'
import { avroSchemas } from '../../contracts/avro.ts'
import type { Release } from '../../contracts/records.ts'
import { Acceptor } from '../../ingest/accept.ts'
import { readObservations } from '../../ingest/formats/read-observations.ts'
import { bytePieces } from '../../ingest/formats/text.ts'
import type { Figure } from '../../ingest/source.ts'
import { parsePinkSheet } from '../../ingest/sources/pink-sheet/parse.ts'
import { parseWorldBank } from '../../ingest/sources/world-bank/parse.ts'
import { openEmbeddedJournal } from '../../journal/embedded/journal.ts'
import { localRegistry } from '../../journal/registry.ts'
import { TypedJournal } from '../../journal/typed.ts'
import { testDocument, testSeries } from '../support/releases.ts'
import { type Measure, median } from './measure.ts'
import {
  jsonStat,
  OBSERVATIONS,
  PINK_SHEET_PRICES,
  periods,
  pinkSheet,
  sdmxCsv,
  sdmxJson,
  sdmxMl,
  WORLD_BANK_FIGURES,
  worldBank,
} from './source-documents.ts'

const ROUNDS = 7

type Format = {
  readonly name: string
  readonly bytes: Uint8Array
  readonly figures: number
  readonly read: (bytes: Uint8Array) => Iterable<{ readonly kind: string }>
  readonly bare: (bytes: Uint8Array) => unknown
}

const message = (name: string, text: string, bare: Format['bare']): Format => ({
  name,
  bytes: Buffer.from(text),
  figures: OBSERVATIONS,
  read: (bytes) => readObservations(bytePieces(bytes)),
  bare,
})
const textOfBytes = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
const parseBare = (bytes: Uint8Array): unknown => JSON.parse(textOfBytes(bytes))
const saxBare = (bytes: Uint8Array): unknown => new SaxesParser().write(textOfBytes(bytes)).close()

const formats: readonly Format[] = [
  message('SDMX-ML 2.1 beside saxes', sdmxMl(), saxBare),
  message('SDMX-CSV beside csv-parse', sdmxCsv(), (bytes) => parse(Buffer.from(bytes))),
  message('JSON-stat 2 beside JSON.parse', jsonStat(), parseBare),
  message('SDMX-JSON 2 beside JSON.parse', sdmxJson(), parseBare),
  {
    name: 'World Bank beside JSON.parse',
    bytes: Buffer.from(worldBank()),
    figures: WORLD_BANK_FIGURES,
    read: (bytes) => parseWorldBank({ ...testDocument, bytes }),
    bare: parseBare,
  },
  {
    name: 'Pink Sheet beside fflate and saxes',
    bytes: pinkSheet(),
    figures: PINK_SHEET_PRICES,
    read: (bytes) => parsePinkSheet({ ...testDocument, bytes }),
    bare: (bytes) => Object.values(unzipSync(bytes)).map(saxBare),
  },
]

export async function bench(): Promise<Measure[]> {
  const measures: Measure[] = []
  for (const { name, bytes, figures, read, bare } of formats) {
    const readAll = () => {
      let count = 0
      for (const { kind } of read(bytes)) if (kind !== 'reject') count++
      if (count !== figures) throw new Error(`${name}: ${count} of ${figures} figures`)
    }
    const [ours, ceiling] = await inTurns(figures, readAll, () => bare(bytes))
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
