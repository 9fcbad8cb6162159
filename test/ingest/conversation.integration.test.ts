import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { Acceptor } from '../../ingest/accept/accept.ts'
import { ParserProcess, parsedApart } from '../../ingest/parser/parser-process.ts'
import type { StructureChange } from '../../ingest/read/format-changes.ts'
import { datasetRunner } from '../../ingest/schedule/run-dataset.ts'
import type { Source } from '../../ingest/source.ts'
import { bis } from '../../ingest/sources/bis/index.ts'
import { comtrade } from '../../ingest/sources/comtrade/index.ts'
import { ecb } from '../../ingest/sources/ecb/index.ts'
import { openEmbeddedTestJournal } from '../support/embedded-journal.ts'
import { serve } from '../support/http-server.ts'
import { valuesOf } from '../support/journal.ts'
import { fixturePath } from './sources/fixture.ts'
import { newMemory } from './support/memory.ts'

/** Conversations with publishers, over real sockets, as a service has them across its restarts. */

const rates = readFileSync(fixturePath('ecb/eurofxref-hist-90d.xml'))
const JOB = 'ecb/eurofxref-daily'
const context = { attempt: 1, signal: new AbortController().signal }

/** A server that answers 304 to those who have its tag. `tags` are those that it got. */
async function publisher(body: () => { readonly tag: string; readonly bytes: Uint8Array | string }) {
  const tags: unknown[] = []
  const { address } = await serve((request: IncomingMessage, response: ServerResponse) => {
    const { tag, bytes } = body()
    tags.push(request.headers['if-none-match'])
    if (request.headers['if-none-match'] === tag) response.writeHead(304, { ETag: tag }).end()
    else response.writeHead(200, { ETag: tag }).end(bytes)
  })
  return { address, tags }
}

async function service(sources: (parser: ParserProcess) => Record<string, Source>, remembered = newMemory()) {
  const { journal } = await openEmbeddedTestJournal()
  const parser = new ParserProcess()
  onTestFinished(() => parser.close())
  const reports: (string | StructureChange)[] = []
  /** Each start has a new acceptor and runner, as a restarted service has. */
  const start = (readBy = remembered.readBy) => {
    const acceptor = new Acceptor(journal)
    return datasetRunner({
      sources: parsedApart(sources(parser), parser),
      journal,
      acceptor: () => acceptor,
      remembered: { ...remembered, readBy },
      pauseMs: 0,
      onUnchanged: () => void reports.push('not modified'),
      onChange: (_, change) => void reports.push(change),
    })
  }
  return { start, reports, journal, remembered }
}

it('is asked once for a document that has not changed, also after a restart', async () => {
  let tag = '"1"'
  const { address, tags } = await publisher(() => ({ tag, bytes: rates }))
  const { start, reports, remembered } = await service(() => ({ ecb: ecb({ address }) }))
  expect(await start()(JOB, context)).toMatch(/^\d+ prices/)
  const checkedAt = (await remembered.memory.load('ecb', 'eurofxref-daily'))?.checkedAt ?? 0
  expect(checkedAt).toBeGreaterThan(0)
  expect(await start()(JOB, context)).toBe('not modified')
  expect((await remembered.memory.load('ecb', 'eurofxref-daily'))?.checkedAt).toBeGreaterThanOrEqual(checkedAt)
  tag = '"2"'
  expect(await start()(JOB, context)).toMatch(/^\d+ unchanged/)
  // Another release, or another journal, reads it anew.
  expect(await start('another')(JOB, context)).toMatch(/^\d+ unchanged/)
  expect(tags).toEqual([undefined, '"1"', '"1"', undefined])
  expect(reports).toEqual(['not modified'])
})

it('is asked again for a document that was refused, or of which rows were', async () => {
  let bytes: Uint8Array | string = '<html>Maintenance</html>'
  const { address, tags } = await publisher(() => ({ tag: '"1"', bytes }))
  const { start } = await service(() => ({ ecb: ecb({ address }) }))
  expect(await start()(JOB, context)).toBe('1 rejected')
  bytes = rates.toString().replace(/rate="[\d.]+"/, 'rate="x"')
  expect(await start()(JOB, context)).toMatch(/1 rejected/)
  bytes = rates
  expect(await start()(JOB, context)).toMatch(/^\d+ unchanged/)
  expect(await start()(JOB, context)).toBe('not modified')
  expect(tags).toEqual([undefined, undefined, undefined, '"1"'])
})

it('is believed for a week, and then asked for the whole document once', async () => {
  const { address, tags } = await publisher(() => ({ tag: '"1"', bytes: rates }))
  const { start, remembered } = await service(() => ({ ecb: ecb({ address }) }))
  await start()(JOB, context)
  const stored = await remembered.memory.load('ecb', 'eurofxref-daily')
  const [entry] = Object.entries(stored?.validators ?? {})
  if (!stored || !entry) throw new Error('nothing is remembered')
  const old = { [entry[0]]: { ...entry[1], readAt: Date.now() - 8 * 86_400_000 } }
  await remembered.memory.save('ecb', 'eurofxref-daily', { ...stored, validators: old })
  expect(await start()(JOB, context)).toMatch(/^\d+ unchanged/)
  expect(tags).toEqual([undefined, undefined])
})

it('is asked only for the answers of a dataset that have changed, and a key is never remembered', async () => {
  const body = readFileSync(fixturePath('comtrade/totals.json'))
  const { address, tags } = await publisher(() => ({ tag: '"1"', bytes: body }))
  const { start, remembered } = await service(() => ({ comtrade: comtrade({ address, apiKey: 'sesame' }) }))
  await start()('comtrade/C/M/HS', context)
  expect(await start()('comtrade/C/M/HS', context)).toBe('2 not modified')
  expect(tags).toEqual([undefined, undefined, '"1"', '"1"'])
  expect(JSON.stringify(await remembered.memory.load('comtrade', 'C/M/HS'))).not.toContain('sesame')
})

it('that restructures a dataset is told by name, before and whether or not it can be read', async () => {
  const table = readFileSync(fixturePath('bis/WS_LONG_CPI_csv_col.csv'), 'utf8')
  let text = table
  const { address } = await publisher(() => ({ tag: `"${text.length}"`, bytes: text }))
  const { start, reports, journal, remembered } = await service(() => ({ bis: bis({ address }) }))
  const job = 'bis/WS_LONG_CPI'
  await start()(job, context)
  text = table.replace(/^.*\n/, (header) => header.replace('Reference area', 'Area'))
  expect(await start()(job, context)).toMatch(
    /^1 rejected; the format has changed \(appeared: column Area; gone: column Reference area\)$/,
  )
  expect(reports).toEqual([{ appeared: ['column Area'], gone: ['column Reference area'] }])
  expect((await valuesOf(journal, 'quarantine')).map(({ reason }) => reason)).toContain('missing_column')
  const change = (await remembered.memory.load('bis', 'WS_LONG_CPI'))?.change
  expect(change).toMatchObject({ appeared: ['column Area'] })
  // Until somebody accepts the format, what changes next is added.
  text = table.replace(/^.*\n/, (header) => header.replace('Reference area', 'Region'))
  await start()(job, context)
  expect((await remembered.memory.load('bis', 'WS_LONG_CPI'))?.change).toEqual({
    at: change?.at,
    appeared: ['column Area', 'column Region'],
    gone: ['column Reference area'],
  })
})
