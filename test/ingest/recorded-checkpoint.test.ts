import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Lineage } from '../../domain/lineage.ts'
import { Acceptor } from '../../ingest/accept/accept.ts'
import { RecordedCheckpoint } from '../../ingest/accept/recorded-checkpoint.ts'
import type { RowFault } from '../../ingest/accept/rejected.ts'
import type { Tally } from '../../ingest/accept/tally.ts'
import type { Item } from '../../ingest/source.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import { type CheckpointStore, fileCheckpoints } from '../../processors/checkpoint.ts'
import { documents, itemsOf } from '../support/dated-documents.ts'
import { openTestJournal, recordsOf, temporaryDirectorySync, valuesOf } from '../support/journal.ts'
import { releaseNumber } from '../support/journal-records.ts'
import { testDocument } from '../support/releases.ts'

const time = { now: () => Date.parse('2026-06-01T00:00:00.000Z') }

/** Accepts each document by a process of its own. Returns all verdicts. */
async function accepted(journal: TypedJournal, all: readonly Item[][], checkpoint?: () => RecordedCheckpoint) {
  const verdicts: (Tally | RowFault[])[] = []
  for (const [number, items] of all.entries()) {
    const faults: RowFault[] = []
    const document = { ...testDocument, sha256: String(number).padStart(64, '0') }
    const options = { onFault: (fault: RowFault) => void faults.push(fault) }
    verdicts.push(await new Acceptor(journal, time, checkpoint?.()).accept(document, items, options), faults)
  }
  return verdicts
}

/** The same figures a thousandfold, which are held beside those on record. */
const thousandfold = (items: readonly Item[]): Item[] =>
  items.map((item) =>
    item.kind === 'figure' ? { ...item, figures: { value: { printed: `${item.figures.value?.printed}000` } } } : item,
  )

/** The same figures by copies, whose dates the document itself proves later. */
const copied = (items: readonly Item[]): Item[] =>
  items.map((item) =>
    'series' in item && item.released ? { ...item, released: { ...item.released, basis: 'copy' } } : item,
  )

const ofCountry = (items: readonly Item[], country: string) =>
  items.filter((item) => 'series' in item && item.series.country === country)

/** Documents of one country and of several ones, some of them twice, and some with implausible figures. */
const drawn = fc
  .tuple(documents, fc.array(fc.nat({ max: 4 }), { minLength: 6, maxLength: 6 }))
  .map(([{ inOrder }, kinds]) =>
    inOrder.flatMap((document, i): Item[][] => {
      const items = itemsOf(document)
      const [one, other] = [ofCountry(items, 'USA'), ofCountry(items, 'MNE')]
      return (
        [[items], [one, other, one], [one, thousandfold(one)], [copied(one), other, one], [one, other]][
          kinds[i] ?? 0
        ] ?? []
      )
    }),
  )

describe('a checkpoint of the figures of a country', () => {
  it('changes no verdict and no record', async () => {
    let loads = 0
    const total: Record<string, number> = {}
    await fc.assert(
      fc.asyncProperty(drawn, fc.integer({ min: 1, max: 30 }), async (all, worthKeeping) => {
        const [{ journal }, { journal: kept }] = [await openTestJournal(), await openTestJournal()]
        const files = fileCheckpoints(temporaryDirectorySync(), new Lineage(kept))
        const counted: CheckpointStore = {
          ...files,
          async load(...of) {
            const found = await files.load(...of)
            if (found) loads++
            return found
          },
        }
        const expected = await accepted(journal, all)
        for (const tally of expected)
          for (const [outcome, count] of Object.entries(tally)) total[outcome] = (total[outcome] ?? 0) + Number(count)
        expect(await accepted(kept, all, () => new RecordedCheckpoint(counted, kept, worthKeeping))).toEqual(expected)
        for (const topic of ['releases', 'quarantine'] as const)
          expect(await recordsOf(kept, topic)).toEqual(await recordsOf(journal, topic))
      }),
      { numRuns: 25, endOnFailure: true },
    )
    expect(loads).toBeGreaterThan(25)
    for (const outcome of ['new', 'revised', 'withdrawn', 'late', 'redated', 'unchanged', 'held'])
      expect(total[outcome], outcome).toBeGreaterThan(5)
  })

  /** Accepts a document and keeps what was on record before it. */
  async function keptAfter(all: readonly Item[][]) {
    const { journal, server } = await openTestJournal()
    const files = fileCheckpoints(temporaryDirectorySync(), new Lineage(journal))
    await accepted(journal, all, () => new RecordedCheckpoint(files, journal, 1))
    return { journal, server, files }
  }
  const [history] = fc.sample(documents, { seed: 2, numRuns: 1 })
  const usa = (history?.inOrder ?? []).map((document) => ofCountry(itemsOf(document), 'USA'))

  it('lets the next process read only the releases since', async () => {
    const { journal, files } = await keptAfter([...usa, ...usa])
    const total = (await valuesOf(journal, 'releases')).length
    let read = 0
    const counting = new RecordedCheckpoint(files, journal, 1)
    counting.isWorthKeeping = (count) => {
      read += count
      return false
    }
    expect(await new Acceptor(journal, time, counting).accept(testDocument, usa[0] ?? [])).toMatchObject({ new: 0 })
    expect(total).toBeGreaterThan(20)
    expect(read).toBe(0)
  })

  it('is not used if it is ahead of the journal, or cannot be read or written', async () => {
    const { files } = await keptAfter([...usa, ...usa])
    const saved = await files.load('accept-USA', 0, 1)
    const away: CheckpointStore = {
      load: () => Promise.reject(new Error('not permitted')),
      save: () => Promise.reject(new Error('no room')),
    }
    for (const store of [away, { ...away, load: async () => saved }]) {
      const { journal } = await openTestJournal()
      const expected = await accepted((await openTestJournal()).journal, usa)
      expect(await accepted(journal, usa, () => new RecordedCheckpoint(store, journal, 1))).toEqual(expected)
    }
  })

  it('is not used in another copy of the journal, which has grown past it', async () => {
    const { files } = await keptAfter([...usa, ...usa])
    const saved = await files.load('accept-USA', 0, 1)
    const store: CheckpointStore = { load: async () => saved, save: async () => undefined }
    const { journal } = await openTestJournal()
    const others = (history?.inOrder ?? []).map((document) => ofCountry(itemsOf(document), 'MNE'))
    await accepted(journal, [...others, ...usa.slice(1).map(thousandfold)])
    while ((await journal.bounds('releases', 0)).end <= (saved?.offsets.releases ?? 0))
      await journal.append('releases', 0, [{ value: releaseNumber(1), id: 'rel_other', at: time.now() }])
    const [first] = usa
    const verdict = await new Acceptor(journal, time, new RecordedCheckpoint(store, journal, 1)).accept(
      testDocument,
      first ?? [],
    )
    expect(verdict).toMatchObject({ unchanged: 0 })
  })

  it('is that of this version: a change of what is kept of releases needs another version', async () => {
    const { files } = await keptAfter([...usa, ...usa])
    const state = (await files.load('accept-USA', 0, 1))?.state
    const plain = (_: string, value: unknown) => (value instanceof Map ? [...value] : value)
    const text = JSON.stringify(state, plain)
    expect(createHash('sha256').update(text).digest('hex').slice(0, 16)).toBe('166ab4a6ec9cc000')
  })
})
