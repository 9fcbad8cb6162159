import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { strToU8, zipSync } from 'fflate'
import { expect, it } from 'vitest'
import { DocumentError } from '../../../ingest/source.ts'
import { openSources } from '../../../ingest/sources/index.ts'
import { seriesFileHead } from '../../support/series-file.ts'
import { workbook } from '../../support/workbook.ts'
import { document, fixturePath } from './fixture.ts'

/** What each reader makes of bodies that are not its own, or that came damaged: the reason, and what it says they are. */

const sources = await openSources()
const text = (content: string) => Buffer.from(content)
/** The bytes of a fixture, without a byte order mark, which a test puts in front. */
const bytesOf = (name: string) => {
  const bytes = readFileSync(fixturePath(name))
  return bytes.subarray(0, 3).toString('hex') === 'efbbbf' ? bytes.subarray(3) : bytes
}
const file = Buffer.from(`${seriesFileHead}2025-01,100.1
2025-02,100.2
`)

/** A document of each reader, in each syntax that it reads. */
const own: readonly (readonly [source: string, dataset: string, bytes: Buffer])[] = [
  ['bis', 'WS_LONG_CPI', bytesOf('bis/WS_LONG_CPI_csv_col.csv')],
  ['comtrade', 'C/M/HS', bytesOf('comtrade/totals.json')],
  ['comtrade', 'C/A/HS', bytesOf('comtrade/2017.csv')],
  ['ecb', 'eurofxref-hist-90d', bytesOf('ecb/eurofxref-hist-90d.xml')],
  ['ecb', 'eurofxref-hist', bytesOf('ecb/eurofxref-hist.csv')],
  ['ecb', 'EXR', bytesOf('ecb/EXR.csv')],
  ['file', 'CPI', file],
  ['fred', 'UNRATE', bytesOf('fred/UNRATE.csv')],
  ['fred', 'GDP', bytesOf('fred/GDP-vintages.json')],
  ['oecd', 'QNA', bytesOf('oecd/QNA.csv')],
  ['world-bank', 'TX.VAL.MRCH.CD.WT', bytesOf('world-bank/exports.json')],
  ['world-bank', 'SL.TLF.CACT.NE.ZS', bytesOf('world-bank/API_JPN_DS2_en_csv_v2.csv')],
  ['unctad', 'US.TradeMerchTotal', bytesOf('unctad/US_TradeMerchTotal.csv')],
  ['ilo', 'UNE_DEAP_SEX_AGE_RT_Q', bytesOf('ilo/UNE_DEAP_SEX_AGE_RT_Q.csv')],
]
const readers: readonly (readonly [source: string, dataset: string])[] = [
  ...own.map(([source, dataset]) => [source, dataset] as const),
  ['eurostat', 'UNE_RT_M'],
  ['pink-sheet', 'pink-sheet'],
]

function itemsOf(source: string, dataset: string, bytes: Uint8Array) {
  const items: unknown[] = []
  try {
    for (const item of sources[source]?.parse(document(bytes, { dataset })) ?? []) items.push(item)
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    return { items, refused: error }
  }
  return { items, refused: undefined }
}

const foreign: readonly (readonly [what: string, bytes: Uint8Array, name: RegExp])[] = [
  [
    'an HTML error page',
    text('<!DOCTYPE html><title>503 Service\n Unavailable</title>'),
    /HTML page, titled "503 Service Unavailable"/,
  ],
  ['a login page', text('\ufeff<html><form><input type="password"></form>'), /an HTML page to sign in/],
  ['a page behind a comment', text('<!-- proxy -->\n<HTML><body>Blocked'), /an HTML page/],
  ['a PDF', text('%PDF-1.7\n%âãÏÓ\n'), /a PDF/],
  ['an old workbook', Buffer.from('d0cf11e0a1b11ae10000', 'hex'), /of the old kind/],
  ['an image', Buffer.from('89504e470d0a1a0a', 'hex'), /an image \(PNG\)/],
  ['Parquet', text('PAR1\x15\x04'), /a Parquet file/],
  ['a 7z archive', Buffer.from('377abcaf271c0004', 'hex'), /a 7z archive/],
  ['nothing', text(''), /no text|is empty/],
  ['blank lines', text(' \r\n\n'), /no text|is empty/],
  ['bytes', Buffer.from([0, 1, 2, 3, 4, 5]), /is binary/],
  ['JSON of another API', text('{"status":"REQUEST_SUCCEEDED","Results":{}}'), /JSON of the BLS's API/],
  ['JSON of no known API', text('{"a":[{"b":1}]}'), /JSON with the members a, b/],
  ['an error in JSON', text('{"error":"Too many requests"}'), /Too many requests/],
  ['a feed', text('<?xml version="1.0"?><rss version="2.0"><channel/></rss>'), /a news feed/],
  ['another table', text('name,street\nx,y\n'), /a table with the columns name, street/],
  [
    'a table whose lines end with CR',
    text('a,b\r1,2\r3,4\r'),
    /^The lines end with CR alone; save the document with LF or CRLF\.$/,
  ],
  ['a sentence', text('Service Unavailable\n'), /text that begins "Service Unavailable"/],
  [
    'a zip of something else',
    zipSync({ 'a.txt': strToU8('x') }),
    /a zip archive of "a.txt"; what is in it is not read either: .|\.csv file/,
  ],
]
it.each(
  readers.flatMap(([source, dataset]) =>
    foreign.map(([what, bytes, name]) => ({ source, dataset, what, bytes, name })),
  ),
)('$source $dataset refuses $what and names it', ({ source, dataset, bytes, name }) => {
  const { items, refused } = itemsOf(source, dataset, bytes)
  expect(items).toEqual([])
  expect(refused?.message).toMatch(name)
  expect(refused?.reason).not.toBe('truncated')
})

type Damage = (bytes: Buffer) => Uint8Array
const middle = (bytes: Buffer): number => Math.floor(bytes.length / 2)
const inserted = (bytes: Buffer, more: Uint8Array): Buffer =>
  Buffer.concat([bytes.subarray(0, middle(bytes)), more, bytes.subarray(middle(bytes))])

/** Each with the refusals that fit: reason, `|`, location, `|`, beginning of the text. */
const damages: readonly (readonly [what: string, damage: Damage, refusal: RegExp])[] = [
  [
    'as UTF-16',
    (b) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(b.toString(), 'utf16le')]),
    /^wrong_encoding\|line 1\|The document is UTF-16; save it as UTF-8\.$/,
  ],
  [
    'as UTF-16 without its mark',
    (b) => Buffer.from(b.toString(), 'utf16le'),
    /^wrong_encoding\|line 1\|The document is UTF-16 without a byte order mark; save it as UTF-8\.$/,
  ],
  [
    'with a Latin-1 character',
    (b) => inserted(b, Buffer.from([0xe9])),
    /^wrong_encoding\|line \d+\|The document is not UTF-8/,
  ],
  ['with a NUL', (b) => inserted(b, Buffer.from([0])), /^wrong_encoding\|line \d+\|The document has NUL/],
  ['in gzip', (b) => gzipSync(b), /^gzip\|\|.*packed with gzip/],
  [
    'cut in a row',
    (b) => b.subarray(0, middle(b) + (b[middle(b) - 1] === 0x0a ? 2 : 0)),
    /^(?:truncated|malformed_(?:json|xml|csv)|bad_head)\|line \d+\|/,
  ],
  [
    'in a zip with another',
    (b) => zipSync({ 'a.csv': b, 'b.csv': b }),
    /^(?:not_one_csv\|\|.*"a.csv", "b.csv"|malformed_document\|\|The archive has 2 CSV files|(?:wrong_encoding\||unknown_format\|\|).*a zip archive)/,
  ],
  ['behind a line of HTML', (b) => Buffer.concat([text('<html>\n'), b]), /^html_page\|/],
]
it.each(
  own.flatMap(([source, dataset, bytes]) =>
    damages.map(([what, damage, refusal]) => ({ source, dataset, what, bytes: damage(bytes), refusal })),
  ),
)('$source $dataset refuses its document $what', ({ source, dataset, bytes, refusal }) => {
  const { items, refused } = itemsOf(source, dataset, bytes)
  expect(items).toEqual([])
  expect(`${refused?.reason}|${refused?.location}|${refused?.message}`).toMatch(refusal)
})

it.each(own)('%s %s reads its document rightly with a byte order mark and with CRLF', (source, dataset, bytes) => {
  const plain = itemsOf(source, dataset, bytes)
  expect(plain.refused).toBeUndefined()
  expect(plain.items.length).toBeGreaterThan(0)
  expect(itemsOf(source, dataset, Buffer.concat([text('\ufeff'), bytes]))).toEqual(plain)
  const crlf = itemsOf(source, dataset, text(bytes.toString().replaceAll(/\r?\n/g, '\r\n')))
  expect(crlf).toEqual(plain)
})

it.each([
  ['of its own', bytesOf('fred/UNRATE.csv'), /^The document is packed with gzip; unpack it first\.$/],
  [
    'of another kind',
    text('name,street\nx,y\n'),
    /^The document is packed with gzip; what is in it is not read either: The header is "name,street"\. .*street\.$/,
  ],
  ['of figures that are not read', text('observation_date,XYZ\n2024-01-01,1\n'), /not read either: .*XYZ/],
])('advises to unpack a document %s only if that leads somewhere', (_, bytes, detail) => {
  expect(itemsOf('fred', '', gzipSync(bytes)).refused?.message).toMatch(detail)
})

it('says which file of an archive is read', () => {
  const archive = zipSync({ 'notes.txt': strToU8('x'), 'data.csv': bytesOf('oecd/QNA.csv') })
  expect(itemsOf('oecd', '', archive).refused?.message).toBe(
    'The document is a zip archive of "notes.txt", "data.csv"; unpack it, and read "data.csv".',
  )
})

it('says of a workbook of a dataset that is read in another format that it is', () => {
  const bytes = workbook({ Summary: [['Unemployment by sex and age [une_rt_m]']], 'Sheet 1': [['TIME', '2024-01']] })
  expect(itemsOf('eurostat', '', bytes).refused).toMatchObject({
    reason: 'unknown_format',
    message:
      'The document is a workbook of no format that is read; its sheets: "Summary", "Sheet 1". It names UNE_RT_M, which is read in another format. Checked was: JSON-stat of 20 months of the euro area.',
  })
})

it.each([
  ['gzip', gzipSync(text('DATAFLOW,x\n')), 'gzip'],
  ['an HTML page', text('<!DOCTYPE html><title>Busy</title>'), 'html_page'],
])('a reader of pieces refuses %s', (_, bytes, reason) => {
  const read = () => [...(sources.oecd?.parsePieces?.({ dataset: 'QNA' }, [bytes]) ?? [])]
  expect(read).toThrow(expect.objectContaining({ reason }))
})

it('there are 150 of them', () => {
  expect(readers.length * foreign.length + own.length * damages.length).toBeGreaterThanOrEqual(150)
})
