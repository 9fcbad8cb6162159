/** Our readers of documents beside a bare parser of the same bytes. */
import { parse } from 'csv-parse/sync'
import { unzipSync } from 'fflate'
import { SaxesParser } from 'saxes'
import { readObservations } from '../../ingest/read/formats/read-observations.ts'
import { bytePieces } from '../../ingest/read/text.ts'
import { parsePinkSheet } from '../../ingest/sources/pink-sheet/parse.ts'
import { parseWorldBank } from '../../ingest/sources/world-bank/parse.ts'
import { testDocument } from '../support/releases.ts'
import { type Cost, costOf, type Measure, throughput } from './measure.ts'
import {
  jsonStat,
  OBSERVATIONS,
  PINK_SHEET_PRICES,
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
    const costs: Record<'ours' | 'bare', Cost[]> = { ours: [], bare: [] }
    for (let round = 0; round <= ROUNDS; round++) {
      const [ours, ceiling] = [await costOf(readAll), await costOf(() => bare(bytes))]
      // The first round compiles both.
      if (round === 0) continue
      costs.ours.push(ours)
      costs.bare.push(ceiling)
    }
    measures.push(throughput({ name, unit: 'figures/s' }, figures, costs.ours, costs.bare))
  }
  return measures
}
