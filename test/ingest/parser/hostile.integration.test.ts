import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { strToU8, zipSync } from 'fflate'
import { expect, it, onTestFinished } from 'vitest'
import { Acceptor } from '../../../ingest/accept/accept.ts'
import { ParserProcess, parsedApart } from '../../../ingest/parser/parser-process.ts'
import { type DocumentReport, ingest } from '../../../ingest/run.ts'
import { openSources } from '../../../ingest/sources/index.ts'
import { openTestJournal, valuesOf } from '../../support/journal.ts'
import { document, fixturePath } from '../sources/fixture.ts'

/** Drawn documents; ALMANAC_TEST_DOCUMENTS=5000 for a long run. */
const DOCUMENTS = Number(process.env.ALMANAC_TEST_DOCUMENTS ?? 50)

const fixtures = [
  'fred/GDP-vintages.json',
  'bis/WS_LONG_CPI_csv_col.csv',
  'oecd/QGDP.csv',
  'world-bank/exports.json',
  'comtrade/totals.json',
  'ecb/eurofxref-hist-90d.xml',
].map((name) => readFileSync(fixturePath(name)))
const source = fc.constantFrom(...Object.keys(await openSources()))
/** Pieces that formats are made of, repeated and nested. */
const piece = fc.constantFrom(
  '<a>',
  '</a>',
  '<a b="',
  '"',
  "'",
  '<Cube time="2020-01-01">',
  '<Cube currency="USD" rate="1"/>',
  '<![CDATA[',
  '<!--',
  '[',
  ']',
  '{"',
  '":',
  ',',
  '{"observations":',
  '"count":1',
  'null',
  '1e999',
  '\\u0000',
  '\\',
  '\n',
  '\r\n',
  '\0',
  '\ufeff',
  'Date,USD\n',
  '# almanac: prices 1\n',
  'REF_AREA,',
  '(',
  ')',
  '*',
  ' ',
  'constructor',
  '__proto__',
  'ä',
  '\u{1f600}',
  '9',
  'x',
)
const repeated = fc.tuple(piece, fc.constantFrom(1, 2, 70, 3_000, 40_000)).map(([text, times]) => text.repeat(times))
const built = fc.array(repeated, { minLength: 1, maxLength: 6 }).map((parts) => Buffer.from(parts.join('')))
const damaged = fc
  .tuple(fc.constantFrom(...fixtures), fc.nat(), built, fc.nat(20_000))
  .map(([bytes, at, insert, cut]) => {
    const place = at % bytes.length
    return Buffer.concat([bytes.subarray(0, place), insert, bytes.subarray(place + (cut % 2 ? 0 : cut))])
  })
const packed = fc
  .oneof(built, damaged)
  .map((bytes) => Buffer.from(zipSync({ 'x.csv': bytes, 'xl/workbook.xml': strToU8('<a/>') })))

it('no document ends a process or is lost: it is accepted in part or whole, or is in quarantine', async () => {
  const { journal } = await openTestJournal()
  const parser = new ParserProcess()
  onTestFinished(() => parser.close())
  const sources = parsedApart(await openSources(), parser)
  const acceptor = new Acceptor(journal)
  let refused = 0
  await fc.assert(
    fc.asyncProperty(source, fc.oneof(built, damaged, packed, fc.uint8Array()), async (key, bytes) => {
      const opened = sources[key]
      if (!opened) throw new Error(`no source ${key}`)
      const given = document(Uint8Array.from(bytes), { source: opened.name })
      const reports: DocumentReport[] = []
      const fetch = async function* () {
        yield given
      }
      await ingest({ ...opened, fetch }, { now: () => new Date() }, acceptor, (report) => void reports.push(report))
      const [report, ...others] = reports
      expect(others).toEqual([])
      if (report?.outcome === 'quarantined') {
        refused++
        expect(report.error.reason).not.toBe('parser_failed')
        expect(report.error.reason).toMatch(/^[a-z][a-z0-9_]+$/)
      } else expect(report?.outcome).toBe('accepted')
    }),
    { numRuns: DOCUMENTS },
  )
  expect(refused).toBeGreaterThan(DOCUMENTS / 3)
  const inputs = new Set((await valuesOf(journal, 'quarantine')).map(({ input_id }) => input_id))
  // The same bytes may come twice, and are one input then.
  expect(inputs.size).toBeGreaterThan(refused / 2)
})
