import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { documentLimits, keptLimits } from '../../ingest/limits.ts'
import { ParserProcess, parsedApart } from '../../ingest/parser/parser-process.ts'
import type { Document, IngestSource, Item } from '../../ingest/source.ts'
import { openSources } from '../../ingest/sources/index.ts'
import { temporaryDirectory } from '../support/journal.ts'

const header = 'DATAFLOW,freq,unit,coicop,geo,TIME_PERIOD,OBS_VALUE\n'
const rowsOf = (coicop: string): string =>
  Array.from(
    { length: 120 },
    (_, i) =>
      `ESTAT:PRC_HICP_MIDX(1.0),M,I15,${coicop},DE,${2010 + Math.floor(i / 12)}-${two((i % 12) + 1)},${100 + i}\n`,
  ).join('')
const two = (n: number): string => String(n).padStart(2, '0')

/** Writes a dataset that is too large to be held, whose first and last series are mapped, and opens it as a document. */
async function largeFile(): Promise<{ path: string; source: IngestSource; document: Document; read: number[] }> {
  const path = join(await temporaryDirectory(), 'prc_hicp_midx.csv')
  const others = Array.from({ length: 1_600 }, (_, i) => rowsOf(`CP${i}X`)).join('')
  writeFileSync(path, header + rowsOf('CP00') + others + rowsOf('CP00').replaceAll(',DE,', ',FR,'))
  const read: number[] = []
  const parser = new ParserProcess({ onRead: (_, bytes) => read.push(bytes) })
  onTestFinished(() => parser.close())
  const source = parsedApart(openSources(), parser).eurostat
  if (!source) throw new Error('no source eurostat')
  const [document] = await Array.fromAsync(source.fetch({ files: [path], now: () => new Date() }))
  if (!document) throw new Error('no document')
  return { path, source, document, read }
}
const itemsOf = async (source: IngestSource, document: Document): Promise<Item[]> => {
  const batches: Item[][] = []
  // Cast: a source that is parsed apart gives batches.
  for await (const batch of source.parse(document) as AsyncIterable<readonly Item[]>) batches.push([...batch])
  return batches.flat()
}

it('a large file is handed to the parser in pieces, and gives what it would give as a whole', async () => {
  const { path, source, document, read } = await largeFile()
  const bytes = readFileSync(path)
  expect(bytes.length).toBeGreaterThan(documentLimits.wholeFileBytes)
  expect(document.file).toEqual({ path, size: bytes.length })
  expect(document.bytes.length).toBe(keptLimits.documentBytes)
  const items = await itemsOf(source, document)
  expect(items).toHaveLength(240)
  expect(items).toEqual([...(openSources().eurostat?.parse({ ...document, bytes }) ?? [])])
  expect(read.length).toBeGreaterThan(2)
  expect(read.at(-1)).toBe(bytes.length)
  // Another one, in another process.
  expect(await itemsOf(source, document)).toHaveLength(240)
})

it.each<readonly [string, (path: string) => void]>([
  ['grown', (path) => appendFileSync(path, 'x')],
  ['cut', (path) => writeFileSync(path, readFileSync(path).subarray(0, -200))],
  ['altered', (path) => writeFileSync(path, readFileSync(path, 'latin1').replace(',219\n', ',218\n'), 'latin1')],
])('a large file that was %s since its SHA-256 was taken gives nothing', async (_, change) => {
  const { path, source, document } = await largeFile()
  change(path)
  await expect(itemsOf(source, document)).rejects.toMatchObject({ reason: 'changed_while_read' })
})

it('a large file that is no dataset is refused at once, and the next one is read', async () => {
  const { source, document } = await largeFile()
  const path = join(await temporaryDirectory(), 'other.csv')
  writeFileSync(path, 'a,b\n'.repeat(3_000_000))
  const [other] = await Array.fromAsync(source.fetch({ files: [path], now: () => new Date() }))
  if (!other) throw new Error('no document')
  await expect(itemsOf(source, other)).rejects.toMatchObject({ reason: 'unknown_format' })
  expect(await itemsOf(source, document)).toHaveLength(240)
})
