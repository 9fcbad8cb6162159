import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Acceptor } from '../../ingest/accept/accept.ts'
import { rejectedInput, rejectedInputs, retryInput, wholeInputs } from '../../ingest/quarantine.ts'
import { type Document, DocumentError, documentOf, type IngestSource } from '../../ingest/source.ts'
import { file } from '../../ingest/sources/file/index.ts'
import { allDocuments } from '../support/documents.ts'
import { openTestJournal, temporaryDirectory, valuesOf } from '../support/journal.ts'
import { testDocument, testSeries } from '../support/releases.ts'
import { seriesFileHead } from '../support/series-file.ts'

/** A reader of lines `period value`. `fault`: what it throws for every document, as a reader of an older release did. */
const reader = (fault?: DocumentError): IngestSource => ({
  name: 'TEST',
  publisher: 'Test office',
  licence: 'none',
  datasets: {},
  downloadable: [],
  fetch: () => expect.fail('nothing is fetched'),
  *parse({ bytes }) {
    if (fault) throw fault
    for (const line of Buffer.from(bytes).toString().trim().split('\n')) {
      const [period = '', printed = ''] = line.split(' ')
      if (printed === '') yield { kind: 'reject', reason: 'no_value', detail: 'no value', location: line, text: line }
      else yield { kind: 'figure', series: testSeries(), period, figures: { value: { printed } }, location: period }
    }
  },
})

/** A journal in which an older reader rejected a whole document of two parts. */
async function rejected(text: string) {
  const { journal } = await openTestJournal()
  const { bytes: _, sha256: __, ...origin } = testDocument
  const document = documentOf(Buffer.from(text), origin)
  await new Acceptor(journal).reject(document, new DocumentError('bad_head', 'unknown form'))
  const [input] = await Array.fromAsync(rejectedInputs(journal))
  return { journal, document, id: input?.input_id ?? '' }
}

const readBy = (...sources: readonly IngestSource[]) => ({ sources, approved: new Set<string>() })

const long = `2025-01 100\n2025-02 101\n${' '.repeat(1_200_000)}`

it('has each input once, with all its bytes', async () => {
  const { journal, document, id } = await rejected(long)
  const all = await Array.fromAsync(rejectedInputs(journal))
  expect(all).toMatchObject([{ input_id: id, source: 'TEST', reason: 'bad_head', parts: 3 }])
  // A comparison of each byte by `toEqual` would take seconds.
  expect(Buffer.compare((await rejectedInput(journal, id))?.bytes ?? Buffer.of(), document.bytes)).toBe(0)
  expect(await rejectedInput(journal, 'f'.repeat(64))).toBeUndefined()
  expect(await Array.fromAsync(rejectedInputs(journal, { source: 'TEST', reason: 'bad_head' }))).toHaveLength(1)
  expect(await Array.fromAsync(rejectedInputs(journal, { source: 'BIS' }))).toEqual([])
  expect(await Array.fromAsync(rejectedInputs(journal, { reason: 'empty' }))).toEqual([])
  expect(await Array.fromAsync(rejectedInputs(journal, { since: Date.now() + 3_600_000 }))).toEqual([])
})

it('that is read again is dated by the day on which it was first seen', async () => {
  const { journal } = await openTestJournal()
  const { bytes: _, sha256: __, ...origin } = testDocument
  const documentWith = (text: string) => documentOf(Buffer.from(text), origin)
  const on = (day: string) => new Acceptor(journal, { now: () => Date.parse(`${day}T12:00:00Z`) })
  await on('2026-01-05').reject(
    documentWith('2025-01 100\n2025-02 101\n'),
    new DocumentError('bad_head', 'unknown form'),
  )
  const newer = documentWith('2025-01 100.5\n')
  await on('2026-02-05').accept(newer, reader().parse(newer))
  const [{ input_id = '' } = {}] = await Array.fromAsync(rejectedInputs(journal))
  const input = await rejectedInput(journal, input_id)
  if (!input) return expect.fail('nothing is rejected')
  const retried = await retryInput(input, readBy(reader()), on('2026-03-05'))
  expect(retried).toMatchObject({ outcome: 'accepted', tally: { new: 1, late: 1 } })
  expect((await valuesOf(journal, 'releases')).slice(1)).toMatchObject([
    { figures: { value: '100' }, released_on: '2026-01-05', late: true },
    { figures: { value: '101' }, released_on: '2026-01-05' },
  ])
})

it('is found with others in one pass', async () => {
  const { journal, document, id } = await rejected(long)
  const acceptor = new Acceptor(journal)
  const { bytes: _, sha256: __, ...origin } = document
  const other = documentOf(Buffer.from('2025-01\n'), origin)
  await acceptor.reject(other, new DocumentError('bad_head', 'unknown form'))
  const all = (await Array.fromAsync(rejectedInputs(journal))).map(({ input_id }) => input_id)
  expect(all).toHaveLength(2)
  const found = await Array.fromAsync(wholeInputs(journal, new Set(all)))
  expect(found.map(({ input, bytes }) => [input.input_id, input.reason, bytes.length])).toEqual([
    [id, 'bad_head', document.bytes.length],
    [all[1], 'bad_head', other.bytes.length],
  ])
})

it('is read again by a reader that knows the form, once, with its bad rows rejected once', async () => {
  const { journal, id } = await rejected('2025-01 100\n2025-02 101\n2025-03\n')
  const input = await rejectedInput(journal, id)
  if (!input) return expect.fail('the input is gone')
  const retried = await retryInput(input, readBy(reader()), new Acceptor(journal))
  expect(retried).toMatchObject({ outcome: 'accepted', tally: { new: 2, rejected: 1 } })
  const again = await retryInput(input, readBy(reader()), new Acceptor(journal))
  expect(again).toMatchObject({ outcome: 'accepted', tally: { new: 0, unchanged: 2, rejected: 1 } })
  expect(await valuesOf(journal, 'releases')).toMatchObject([{ period: '2025-01' }, { period: '2025-02' }])
  expect((await valuesOf(journal, 'quarantine')).map(({ reason }) => reason)).toEqual(['bad_head', 'no_value'])
})

it('stays rejected without a second entry, and with one where the reason is another', async () => {
  const { journal, id } = await rejected('2025-01 100\n')
  const input = await rejectedInput(journal, id)
  if (!input) return expect.fail('the input is gone')
  for (const reason of ['bad_head', 'bad_head', 'too_slow', 'too_slow']) {
    const fault = new DocumentError(reason, 'unknown form')
    expect(await retryInput(input, readBy(reader(fault)), new Acceptor(journal))).toMatchObject({ outcome: 'rejected' })
  }
  expect((await valuesOf(journal, 'quarantine')).map(({ reason }) => reason)).toEqual(['bad_head', 'too_slow'])
})

it('cannot be read again from a row, nor by a release without its source', async () => {
  const { journal, id } = await rejected('2025-01 100\n2025-03\n')
  const input = await rejectedInput(journal, id)
  if (!input) return expect.fail('the input is gone')
  const acceptor = new Acceptor(journal)
  expect(await retryInput(input, readBy(), acceptor)).toEqual({ outcome: 'unknown_source' })
  await retryInput(input, readBy(reader()), acceptor)
  const [row] = await Array.fromAsync(rejectedInputs(journal, { reason: 'no_value' }))
  const only = await rejectedInput(journal, row?.input_id ?? '')
  expect(Buffer.from(only?.bytes ?? []).toString()).toBe('2025-03')
  expect(only && (await retryInput(only, readBy(reader()), acceptor))).toEqual({ outcome: 'not_whole' })
})

it.each([
  ['BEA', 'T10105', /^bea was removed in 0\.3\.0/],
  ['EUROSTAT', 'PRC_HICP_MIDX', /^eurostat\/PRC_HICP_MIDX was removed in 0\.3\.0/],
])('of %s %s, which are no longer read, says since when', async (name, dataset, detail) => {
  const { journal, document } = await rejected('2025-01 100\n')
  const acceptor = new Acceptor(journal)
  await acceptor.reject({ ...document, source: name, dataset }, new DocumentError('malformed_document', 'no message'))
  const [input] = await Array.fromAsync(rejectedInputs(journal, { source: name }))
  const found = await rejectedInput(journal, input?.input_id ?? '')
  const sources = name === 'BEA' ? [] : [{ ...reader(), name }]
  expect(found && (await retryInput(found, readBy(...sources), acceptor))).toEqual({
    outcome: 'removed',
    detail: expect.stringMatching(detail),
  })
  expect(await valuesOf(journal, 'releases')).toEqual([])
})

describe('a file in Almanac’s own format', () => {
  /** Rejects the file, as it is read from a folder, by a reader of an older release, or by today’s. */
  async function rejectedFile(text: string, byToday: boolean) {
    const { journal } = await openTestJournal()
    const path = join(await temporaryDirectory(), 'prices q.csv')
    await writeFile(path, text)
    const [document] = await allDocuments(file(), { files: [path] })
    if (!document) return expect.fail('no document')
    const acceptor = new Acceptor(journal)
    const fault = byToday ? faultOf(document) : new DocumentError('bad_head', 'unknown form')
    await acceptor.reject(document, fault)
    const [input] = await Array.fromAsync(rejectedInputs(journal))
    const found = await rejectedInput(journal, input?.input_id ?? '')
    return found ? { journal, document, acceptor, found } : expect.fail('the input is gone')
  }

  function faultOf(document: Document): DocumentError {
    try {
      Array.from(file().parse(document))
    } catch (error) {
      if (error instanceof DocumentError) return error
    }
    return expect.fail('the file is read')
  }

  it('is on record under the agency of its head and the name of the file, and is read again as such a file', async () => {
    const { journal, document, acceptor, found } = await rejectedFile(`${seriesFileHead}2025-01,100\n`, false)
    expect(document.url).toBe('https://example.org/cpi')
    expect(found.input).toMatchObject({ source: document.source, url: 'file:prices%20q.csv' })
    const retried = await retryInput(found, readBy(file()), acceptor)
    expect(retried).toMatchObject({ outcome: 'accepted', tally: { new: 1 } })
    expect((await valuesOf(journal, 'releases')).map(({ provenance }) => provenance)).toMatchObject([
      { publisher: document.publisher, url: document.url, file: { name: 'prices q.csv', sha256: document.sha256 } },
    ])
  })

  it('stays rejected for what is wrong with it, also if a source of this release has its agency', async () => {
    const wrong = seriesFileHead.replace('\n', '\n# rows: 7\n').concat('2025-01,100\n')
    const { acceptor, document, found } = await rejectedFile(wrong, true)
    const namesake = { ...reader(), name: document.source }
    for (const sources of [[file()], [namesake, file()]]) {
      const retried = await retryInput(found, readBy(...sources), acceptor)
      expect(retried).toMatchObject({ outcome: 'rejected', error: { reason: 'truncated' } })
    }
  })
})
