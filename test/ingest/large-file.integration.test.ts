import { appendFileSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { documentLimits, keptLimits } from '../../ingest/limits.ts'
import { ParserProcess, parsedApart } from '../../ingest/parser/parser-process.ts'
import type { Document, IngestSource, Item } from '../../ingest/source.ts'
import { openSources } from '../../ingest/sources/index.ts'
import { temporaryDirectory } from '../support/journal.ts'

const header = 'DATAFLOW,freq,unit,s_adj,na_item,geo,TIME_PERIOD,OBS_VALUE\n'
const rowsOf = (item: string): string =>
  Array.from(
    { length: 120 },
    (_, i) =>
      `ESTAT:NAMQ_10_GDP(1.0),Q,CP_MEUR,SCA,${item},DE,${1980 + Math.floor(i / 4)}-Q${(i % 4) + 1},${100 + i}\n`,
  ).join('')

/** A dataset that is too large to be held, whose first and last series are mapped. */
let large: string
const dir = mkdtempSync(join(tmpdir(), 'almanac-large-'))
const read: number[] = []
const parser = new ParserProcess({ onRead: (_, bytes) => read.push(bytes) })
const sources = parsedApart(await openSources(), parser)

beforeAll(() => {
  large = join(dir, 'namq_10_gdp.csv')
  const others = Array.from({ length: 1_350 }, (_, i) => rowsOf(`P${i}X`)).join('')
  writeFileSync(large, header + rowsOf('B1GQ') + others + rowsOf('B1GQ').replaceAll(',DE,', ',FR,'))
})
afterAll(() => {
  parser.close()
  rmSync(dir, { recursive: true })
})

async function opened(name: string, path: string): Promise<{ source: IngestSource; document: Document }> {
  const source = sources[name]
  if (!source) throw new Error(`no source ${name}`)
  const [document] = await Array.fromAsync(source.fetch({ files: [path], now: () => new Date() }))
  if (!document) throw new Error('no document')
  return { source, document }
}
const itemsOf = async (source: IngestSource, document: Document): Promise<Item[]> => {
  const batches: Item[][] = []
  // Cast: a source that is parsed apart gives batches.
  for await (const batch of source.parse(document) as AsyncIterable<readonly Item[]>) batches.push([...batch])
  return batches.flat()
}

it('a large file is handed to the parser in pieces, and gives what it would give as a whole', async () => {
  const { source, document } = await opened('eurostat', large)
  const bytes = readFileSync(large)
  expect(bytes.length).toBeGreaterThan(documentLimits.wholeFileBytes)
  expect(document.file).toEqual({ path: large, size: bytes.length })
  expect(document.bytes.length).toBe(keptLimits.documentBytes)
  const items = await itemsOf(source, document)
  expect(items).toHaveLength(240)
  expect(items).toEqual([...((await openSources()).eurostat?.parse({ ...document, bytes }) ?? [])])
  expect(read.length).toBeGreaterThan(2)
  expect(read.at(-1)).toBe(bytes.length)
})

it.each<readonly [string, string, (path: string) => void]>([
  ['grown', 'changed_while_read', (path) => appendFileSync(path, 'x')],
  ['cut', 'changed_while_read', (path) => writeFileSync(path, readFileSync(path).subarray(0, -200))],
  [
    'altered',
    'changed_while_read',
    (path) => writeFileSync(path, readFileSync(path, 'latin1').replace(',219\n', ',218\n'), 'latin1'),
  ],
  ['deleted', 'unreadable_file', (path) => rmSync(path)],
])(
  'a large file that was %s since its SHA-256 was taken gives nothing, and is named without its folder',
  async (_, reason, change) => {
    const path = join(await temporaryDirectory(), 'namq_10_gdp.csv')
    copyFileSync(large, path)
    const { source, document } = await opened('eurostat', path)
    change(path)
    const fault = await itemsOf(source, document).catch((error: unknown) => error)
    expect(fault).toMatchObject({ reason, message: expect.stringContaining('namq_10_gdp.csv') })
    expect(fault).toMatchObject({ message: expect.not.stringContaining(dirname(path)) })
  },
)

it('a large file that is no dataset is refused at once, and the next one is read', async () => {
  const path = join(await temporaryDirectory(), 'other.csv')
  writeFileSync(path, 'a,b\n'.repeat(documentLimits.wholeFileBytes / 4 + 1))
  const { source, document: other } = await opened('eurostat', path)
  expect(other.file).toBeDefined()
  await expect(itemsOf(source, other)).rejects.toMatchObject({ reason: 'unknown_format' })
  const { document } = await opened('eurostat', large)
  expect(await itemsOf(source, document)).toHaveLength(240)
})

it('a large archive is read', async () => {
  const header =
    'REF_DATE,GEO,DGUID,Products and product groups,UOM,UOM_ID,SCALAR_FACTOR,SCALAR_ID,VECTOR,COORDINATE,VALUE,STATUS\n'
  const row = (area: string, value: string) => `2001-01,${area},,All-items,2002=100,17,units,0,v1,2.2,${value},\n`
  const table = header + row('Canada', '96.3') + row('Quebec'.repeat(1_000), '98').repeat(1_500)
  const files = {
    '18100004.csv': strToU8(table),
    '18100004_MetaData.csv': strToU8('Product Id,Frequency\n18100004,Monthly\n'),
  }
  const path = join(await temporaryDirectory(), '18100004-eng.zip')
  writeFileSync(path, zipSync(files, { level: 0 }))
  const { source, document } = await opened('statcan', path)
  expect(document.file?.size).toBeGreaterThan(documentLimits.wholeFileBytes)
  expect(await itemsOf(source, document)).toMatchObject([
    { period: '2001-01', figures: { value: { printed: '96.3' } } },
  ])
})
