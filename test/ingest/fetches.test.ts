import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Acceptor } from '../../ingest/accept/accept.ts'
import { ingestRemembered } from '../../ingest/ingest-remembered.ts'
import type { DatasetMemory } from '../../ingest/publisher-memory.ts'
import { ingest } from '../../ingest/run.ts'
import { type Document, DocumentError, type FetchRequest, type Item, type Source } from '../../ingest/source.ts'
import { fred } from '../../ingest/sources/fred/index.ts'
import { testDocument } from '../support/documents.ts'
import { serve } from '../support/http-server.ts'
import { openTestJournal, valuesOf } from '../support/journal.ts'
import { testSeries } from '../support/releases.ts'
import { fetchesSuite } from './support/fetches-suite.ts'
import { newMemory } from './support/memory.ts'

const NOW = '2026-11-20T10:00:00.000Z'
const request = { now: () => new Date(NOW) }

describe('the fetch of a dataset', () => {
  fetchesSuite(async () => (await openTestJournal()).journal)

  it('is none where a person gives a file', async () => {
    const { journal, directory } = await openTestJournal()
    const file = join(directory, 'UNRATE.csv')
    await writeFile(file, 'observation_date,UNRATE\n2026-09-01,4.3\n')
    const tally = await ingest(fred(), { ...request, files: [file], datasets: ['UNRATE'] }, new Acceptor(journal))
    expect(tally.new).toBe(1)
    expect(await valuesOf(journal, 'fetches')).toEqual([])
  })

  it('is of each dataset that its documents have series of, and of none unless all of them could be read', async () => {
    const { journal } = await openTestJournal()
    const run = (...contents: readonly (readonly string[])[]) =>
      ingest(sourceOf(contents), request, new Acceptor(journal))
    await run(['T1'], ['UNREADABLE'])
    expect(await valuesOf(journal, 'fetches')).toEqual([])
    await run(['T1', 'T2', 'T1'], ['T3'])
    expect(await valuesOf(journal, 'fetches')).toEqual(
      ['T1', 'T2', 'T3'].map((dataset) => ({ source: 'TEST', dataset, fetched_at: NOW })),
    )
  })

  it('is also of what the answers hold that have not changed since an earlier run, even one that was broken off', async () => {
    const { journal } = await openTestJournal()
    const remembered = { ...newMemory(), name: 'test', dataset: 'T', conditional: true }
    /** The datasets that are recorded by a run with these documents on a day of November. */
    const runOn = async (day: number, ...contents: readonly (readonly string[])[]) => {
      const now = () => new Date(Date.UTC(2026, 10, day))
      await ingestRemembered(sourceOf(contents), { now }, new Acceptor(journal), remembered)
      const recorded = (await valuesOf(journal, 'fetches')).filter(
        ({ fetched_at }) => fetched_at === now().toISOString(),
      )
      return recorded.map(({ dataset }) => dataset).sort()
    }
    await expect(runOn(1, ['T1'], ['AWAY'])).rejects.toThrow('away')
    expect(await valuesOf(journal, 'fetches')).toEqual([])
    expect(await runOn(2, ['UNCHANGED'], ['T2'])).toEqual(['T1', 'T2'])
    await expect(runOn(3, ['T3'], ['AWAY'])).rejects.toThrow('away')
    expect(await runOn(4, ['UNCHANGED'], ['UNCHANGED'])).toEqual(['T1', 'T2', 'T3'])
  })

  it('is whole if the memory does not say what the answers hold, as that of an earlier release', async () => {
    const { journal } = await openTestJournal()
    const remembered = { ...newMemory(), name: 'fred', dataset: 'UNRATE', conditional: true }
    const asked: unknown[] = []
    const { address } = await serve(({ headers }, response) => {
      asked.push(headers['if-none-match'])
      response.writeHead(200, { ETag: '"1"' }).end('observation_date,UNRATE\n2026-09-01,4.3\n')
    })
    const run = () => ingestRemembered(fred({ address }), request, new Acceptor(journal), remembered)
    await run()
    const { series, ...earlier } = (await remembered.memory.load('fred', 'UNRATE')) ?? {}
    expect(series).toEqual([{ source: 'FRED', dataset: 'UNRATE' }])
    // Cast: what was loaded, without an optional member.
    await remembered.memory.save('fred', 'UNRATE', earlier as DatasetMemory)
    await run()
    await run()
    expect(asked).toEqual([undefined, undefined, '"1"'])
  })
})

/** A source with a document for each list of contents: the datasets of its series, or what becomes of it. */
function sourceOf(contents: readonly (readonly string[])[]): Source {
  return {
    name: 'TEST',
    publisher: 'TEST',
    licence: 'None',
    datasets: {},
    downloadable: [],
    async *fetch({ onUnchanged }: FetchRequest): AsyncIterable<Document> {
      for (const names of contents) {
        if (names.includes('AWAY')) throw new DocumentError('unreachable', 'away')
        if (names.includes('UNCHANGED')) onUnchanged?.('https://example.org/')
        else yield testDocument(names.join())
      }
    },
    parse({ bytes }): Item[] {
      const names = Buffer.from(bytes).toString().split(',')
      if (names.includes('UNREADABLE')) throw new DocumentError('malformed_document', 'cannot be read')
      return names.map((dataset) => ({
        kind: 'figure',
        series: testSeries({ dataset }),
        period: '2026-09',
        figures: { value: { printed: '1' } },
        location: '',
      }))
    },
  }
}
