import { describe, expect, it, vi } from 'vitest'
import { reportText } from '../../cli/ingest-report.ts'
import { Acceptor } from '../../ingest/accept/accept.ts'
import { ingest } from '../../ingest/run.ts'
import { type Document, DocumentError, type Figure, type Item, type Source } from '../../ingest/source.ts'
import type { Journal } from '../../journal/journal.ts'
import { type Fault, faultyJournal } from '../support/faulty-journal.ts'
import { openTestJournal, recordsOf, valuesOf } from '../support/journal.ts'
import { accepted, candidate, testDocument, testSeries } from '../support/releases.ts'

const document = (over: Partial<Document> = {}): Document => ({
  ...testDocument,
  bytes: Buffer.from('bytes'),
  ...over,
})
const figure = (period: string, printed: string, on?: string): Figure => ({
  kind: 'figure',
  series: testSeries(),
  period,
  figures: { value: { printed } },
  ...(on ? { released: { on, basis: 'publisher' as const } } : {}),
  location: `period ${period}`,
})
const price = (symbol: string, printed: string, observedAt: string): Item => ({
  kind: 'price',
  symbol,
  printed,
  observedAt,
  location: 'line 1',
})

describe('Acceptor', () => {
  it('dates what was held by the day on which it was first seen, at the place of its publisher', async () => {
    const { journal } = await openTestJournal()
    const series = testSeries({ source: 'SBJ', country: 'JPN' })
    const undated = { ...figure('2025-11', '100'), series }
    await new Acceptor(journal).accept(document({ seenAt: '2026-01-15T23:40:00.000Z' }), [undated])
    expect((await valuesOf(journal, 'releases'))[0]).toMatchObject({
      released_on: '2026-01-16',
      released_on_basis: 'first_seen',
    })
  })

  it('gives a release per real change and none for a reprint', async () => {
    const { journal } = await openTestJournal()
    const acceptor = new Acceptor(journal)
    expect(
      await acceptor.accept(document(), [
        figure('2025-01', '100.0', '2025-02-10'),
        figure('2025-02', '101', '2025-03-10'),
      ]),
    ).toMatchObject({ new: 2 })
    expect(
      await acceptor.accept(document(), [
        figure('2025-01', '100', '2025-03-10'),
        figure('2025-02', '101.50', '2025-04-10'),
      ]),
    ).toMatchObject({
      unchanged: 1,
      revised: 1,
    })
    const releases = await valuesOf(journal, 'releases')
    expect(releases.map(({ period, figures, revises }) => [period, figures.value, revises !== null])).toEqual([
      ['2025-01', '100.0', false],
      ['2025-02', '101', false],
      ['2025-02', '101.50', true],
    ])
    expect(releases[0]?.provenance).toMatchObject({
      publisher: 'Test office',
      sha256: 'a'.repeat(64),
      location: 'period 2025-01',
      copy: null,
      file: null,
    })
  })

  it('keeps late prints, better dates and withdrawals, whichever process reads them', async () => {
    const { journal } = await openTestJournal()
    const missing = (period: string, on: string): Item => ({
      kind: 'missing',
      series: testSeries(),
      period,
      released: { on, basis: 'publisher' },
      location: `period ${period}`,
    })
    const acceptor = new Acceptor(journal)
    const one = [figure('2025-01', '101', '2025-03-20'), figure('2025-02', '102', '2025-03-20')]
    expect(await acceptor.accept(document(), one)).toMatchObject({ new: 2 })
    const two = [figure('2025-01', '100', '2025-02-10'), figure('2025-01', '101', '2025-03-10')]
    const known = { late: 1, redated: 1, new: 0, revised: 0, rejected: 0 }
    expect(await new Acceptor(journal).accept(document(), two)).toMatchObject(known)
    const three = [missing('2025-02', '2025-04-10'), missing('2025-03', '2025-04-10')]
    expect(await acceptor.accept(document(), three)).toMatchObject({ withdrawn: 1, unchanged: 1 })
    const releases = await valuesOf(journal, 'releases')
    expect(
      releases.map(({ released_on, figures, late, redates }) => [released_on, figures.value, late, redates]),
    ).toEqual([
      ['2025-03-20', '101', false, null],
      ['2025-03-20', '102', false, null],
      ['2025-02-10', '100', true, null],
      ['2025-03-10', '101', false, releases[0]?.release_id],
      ['2025-04-10', undefined, false, null],
    ])
    // Everything once more is no news, for a process that wrote and for one that starts.
    for (const reader of [acceptor, new Acceptor(journal)]) {
      expect(await reader.accept(document(), [...one, ...two, ...three])).toMatchObject({ unchanged: 6 })
    }
  })

  it('keeps what a file states of its figures’ origin apart from the file itself, and makes nothing up', async () => {
    const { journal } = await openTestJournal()
    const copy = { holder: 'github.com/a/b', url: null, revision: '1a2b', held_on: '2025-04-10', is_transcribed: true }
    const origin = { retrievedAt: null, sha256: null, copy }
    const file = { ...document(), fileName: 'cpi.csv', retrievedAt: null }
    await new Acceptor(journal).accept(file, [{ ...figure('2025-01', '100'), origin }])
    await new Acceptor(journal).accept({ ...document(), retrievedAt: null }, [figure('2025-02', '100')])
    const [transcribed, local] = (await valuesOf(journal, 'releases')).map(({ provenance }) => provenance)
    expect(transcribed).toMatchObject({
      retrieved_at: '',
      sha256: '',
      copy,
      file: { name: 'cpi.csv', sha256: 'a'.repeat(64) },
    })
    expect(local).toMatchObject({ retrieved_at: '', sha256: 'a'.repeat(64), copy: null, file: null })
  })

  it('puts a bad row into quarantine with its text and goes on; the same row again is not stored again', async () => {
    const { journal } = await openTestJournal()
    const acceptor = new Acceptor(journal)
    const items: Item[] = [
      figure('2025-01', '100'),
      { kind: 'reject', reason: 'bad_period', detail: 'no such month', location: 'line 3', text: '2025-13,7' },
      figure('2025-02', 'n/a'),
      price('EUR-USD', '-1', '2026-01-09T13:15:00.000Z'),
      figure('2025-03', '102'),
    ]
    expect(await acceptor.accept(document(), items)).toMatchObject({ new: 2, rejected: 3 })
    await new Acceptor(journal).accept(document(), items)
    const rejected = await valuesOf(journal, 'quarantine')
    expect(rejected.map(({ reason, location }) => [reason, location])).toEqual([
      ['bad_period', 'line 3'],
      ['not_a_decimal', 'period 2025-02'],
      ['not_positive', 'line 1'],
    ])
    expect(Buffer.from(rejected[0]?.bytes ?? []).toString()).toBe('2025-13,7')
  })

  it('keeps every byte of a document that cannot be read, and takes the next one', async () => {
    const { journal } = await openTestJournal()
    const bytes = Buffer.alloc(1_300_000, 'x')
    const source: Source = {
      name: 'TEST',
      publisher: 'Test office',
      licence: 'none',
      datasets: {},
      downloadable: [],
      async *fetch() {
        yield document({ bytes, url: 'file:bad' })
        yield document({ url: 'file:good', sha256: 'b'.repeat(64) })
      },
      parse: ({ url }) => {
        if (url === 'file:bad') throw new DocumentError('truncated', 'ends in the middle of line 7', 'line 7')
        return [figure('2025-01', '100')]
      },
    }
    const tally = await ingest(source, { now: () => new Date() }, new Acceptor(journal))
    expect(tally).toMatchObject({ new: 1, rejected: 1 })
    const parts = await valuesOf(journal, 'quarantine')
    expect(parts.map(({ part, parts: of, reason, location }) => [part, of, reason, location])).toEqual([
      [1, 3, 'truncated', 'line 7'],
      [2, 3, 'truncated', 'line 7'],
      [3, 3, 'truncated', 'line 7'],
    ])
    expect(Buffer.concat(parts.map((part) => part.bytes)).equals(bytes)).toBe(true)
  })

  it('counts what was written of a document whose parser ended halfway, and says so', async () => {
    const { journal } = await openTestJournal()
    const MORE_THAN_ONE_CHUNK = 2_001
    const day = (i: number) => new Date(Date.UTC(2000, 0, i)).toISOString().slice(0, 10)
    const source: Source = {
      name: 'TEST',
      publisher: 'Test office',
      licence: 'none',
      datasets: {},
      downloadable: [],
      async *fetch() {
        yield document()
      },
      *parse() {
        for (let i = 1; i <= MORE_THAN_ONE_CHUNK; i++) yield figure('1999-12', String(100 + i / 1_000), day(i))
        throw new DocumentError('out_of_memory', 'The parser needed too much memory.')
      },
    }
    const texts: string[] = []
    const tally = await ingest(source, { now: () => new Date() }, new Acceptor(journal), (report) =>
      texts.push(reportText(report)),
    )
    const written = (await valuesOf(journal, 'releases')).length
    expect(written).toBe(2_000)
    expect(tally).toMatchObject({ new: 1, revised: written - 1, rejected: 1 })
    expect(texts[0]).toContain('quarantined: out_of_memory: ')
    expect(texts[0]).toContain('\n  before that: 1 new, 1999 revised')
  })

  it('counts prices that are older than the newest of their source, and rejects those of unknown symbols', async () => {
    const { journal } = await openTestJournal()
    const acceptor = new Acceptor(journal)
    const own = document({ source: 'FILE' })
    const at = (day: number) => price('EUR-USD', '1.1', `2026-01-0${day}T12:00:00.000Z`)
    expect(await acceptor.accept(own, [at(8)])).toMatchObject({ prices: 1 })
    expect(await acceptor.accept(own, [at(7), at(8), at(9)])).toMatchObject({ older: 1, unchanged: 1, prices: 1 })
    const faults: unknown[] = []
    const unknown = { ...at(9), symbol: 'EUR-USS' }
    await acceptor.accept(own, [unknown], { onFault: (fault) => faults.push(fault) })
    expect(faults).toMatchObject([{ reason: 'unknown_symbol', detail: expect.stringContaining('EUR-USS') }])
    // The ECB's history has retired currencies.
    expect(await acceptor.accept(document({ source: 'ECB' }), [unknown])).toMatchObject({ rejected: 0, unserved: 1 })
  })

  it('writes a price as a tick of its symbol’s partition, once', async () => {
    const { journal } = await openTestJournal()
    const acceptor = new Acceptor(journal)
    const items = [
      price('EUR-USD', '1.1000', '2026-01-08T13:15:00.000Z'),
      price('EUR-USD', '1.11', '2026-01-09T13:15:00.000Z'),
    ]
    expect(await acceptor.accept(document({ source: 'ECB' }), items)).toMatchObject({ prices: 2 })
    expect(await acceptor.accept(document({ source: 'ECB' }), items)).toMatchObject({ prices: 0, unchanged: 2 })
    const ticks = await valuesOf(journal, 'ticks', journal.partitionFor('ticks', 'EUR-USD'))
    expect(ticks.map(({ price: p, observed_at }) => [p, observed_at])).toEqual([
      ['1.1000', '2026-01-08T13:15:00.000Z'],
      ['1.11', '2026-01-09T13:15:00.000Z'],
    ])
  })

  it('decides once what two writers bring at the same time', async () => {
    const { journal } = await openTestJournal()
    const items = Array.from({ length: 300 }, (_, i) =>
      figure(`${1990 + (i % 30)}-${String(1 + (i % 12)).padStart(2, '0')}`, String(100 + (i % 60))),
    )
    await Promise.all([
      new Acceptor(journal).accept(document(), items),
      new Acceptor(journal).accept(document(), items),
    ])
    const alone = await openTestJournal()
    await new Acceptor(alone.journal).accept(document(), items)
    await new Acceptor(alone.journal).accept(document(), items)
    const ids = async (j: typeof journal) => (await valuesOf(j, 'releases')).map(({ release_id }) => release_id)
    expect(await ids(journal)).toEqual(await ids(alone.journal))
  })

  describe('of a document that takes several transactions', () => {
    const items = Array.from({ length: 5_000 }, (_, i): Item => {
      const month = Math.floor(i / 6)
      const period = `${1950 + Math.floor(month / 12)}-${String(1 + (month % 12)).padStart(2, '0')}`
      const series = testSeries({ country: ['AUT', 'BEL', 'CHE', 'DEU', 'DNK', 'ESP'][i % 6] ?? '' })
      return { kind: 'figure', series, period, figures: { value: { printed: `${100 + i}` } }, location: `row ${i}` }
    })

    /** Accepts them, the transactions ending as `faults` say. */
    async function acceptAll(faults: Fault[]) {
      let [claims, transactions] = [0, 0]
      const { journal } = await openTestJournal((real) => {
        const faulty = faultyJournal(real, () => faults[transactions++] ?? 'ok')
        const claim: Journal['claim'] = (name, signal) => {
          claims++
          return real.claim(name, signal)
        }
        return Object.assign(faulty, { claim })
      })
      const tally = await new Acceptor(journal).accept(document(), items)
      // A retry does not count as unchanged what the document itself brought.
      expect(tally).toMatchObject({ new: 5_000, unchanged: 0 })
      const releases = await valuesOf(journal, 'releases')
      expect(releases.map(({ provenance }) => provenance?.location)).toEqual(items.map(({ location }) => location))
      // It is released behind the document.
      await journal.claim('ingest/accept', AbortSignal.timeout(5_000))
      return { claims: claims - 1, transactions }
    }

    it('claims the writing once', async () => {
      expect(await acceptAll([])).toEqual({ claims: 1, transactions: 3 })
    })

    it('claims it again where a transaction fails, and writes each release once', async () => {
      const faults: Fault[] = ['ok', 'unknown_but_written', 'unknown_and_not_written']
      expect(await acceptAll(faults)).toMatchObject({ claims: 3 })
    })
  })

  it('writes each release once, whatever becomes of its transactions', async () => {
    const faults: Fault[] = [
      'unknown_but_written',
      'unknown_and_not_written',
      'unavailable',
      'ok',
      'unknown_but_written',
    ]
    let turn = 0
    const { journal } = await openTestJournal((real) => faultyJournal(real, () => faults[turn++] ?? 'ok'))
    const items = ['100', '101', '102', '103'].map((value, i) => figure(`2025-0${i + 1}`, value))
    for (const item of items) await new Acceptor(journal).accept(document(), [item])
    expect(turn).toBeGreaterThan(faults.length)
    const releases = await recordsOf(journal, 'releases')
    expect(releases.map(({ value }) => value.figures.value)).toEqual(['100', '101', '102', '103'])
  })

  it('does not take what another process wrote meanwhile for its own', async () => {
    const faults: Fault[] = ['unknown_and_not_written']
    const { journal } = await openTestJournal((real) => faultyJournal(real, () => faults.shift() ?? 'ok'))
    const items = [figure('2025-01', '100'), figure('2025-02', '101')]
    const claim = journal.claim.bind(journal)
    vi.spyOn(journal, 'claim')
      .mockImplementationOnce(claim)
      .mockImplementationOnce(async (name, signal) => {
        await new Acceptor(journal, { now: () => Date.now() + 1_000 }).accept(document(), items.slice(1))
        return claim(name, signal)
      })
    expect(await new Acceptor(journal).accept(document(), items)).toMatchObject({ new: 1, unchanged: 1 })
    const releases = await valuesOf(journal, 'releases')
    expect(releases.map(({ figures }) => figures.value)).toEqual(['101', '100'])
  })

  it('reads what other processes wrote, and not what it wrote itself', async () => {
    const { journal } = await openTestJournal()
    const acceptor = new Acceptor(journal)
    await acceptor.accept(document(), [figure('2025-01', '100')])
    const read = vi.spyOn(journal, 'read')
    await acceptor.accept(document(), [figure('2025-01', '100'), figure('2025-02', '101', '2025-03-10')])
    const other = new Acceptor(journal)
    expect(await other.accept(document(), [figure('2025-02', '102', '2025-04-10')])).toMatchObject({ revised: 1 })
    read.mockClear()
    expect(
      await acceptor.accept(document(), [
        figure('2025-02', '101', '2025-03-10'),
        figure('2025-02', '102', '2025-04-10'),
      ]),
    ).toMatchObject({ unchanged: 2 })
    const batches = await Promise.all(read.mock.results.map(({ value }) => value))
    expect(batches.flatMap(({ records }) => records)).toHaveLength(1)
  })

  it('knows each of its releases once, although another process wrote before them', async () => {
    const { journal } = await openTestJournal()
    const derived = accepted(candidate(testSeries({ derivation: 'test' }), '2025-01', { value: '1' }))
    const transact = journal.transact.bind(journal)
    vi.spyOn(journal, 'transact').mockImplementationOnce(async (...args) => {
      await journal.append('releases', 0, [{ value: derived, id: derived.release_id, at: 0 }])
      return transact(...args)
    })
    const acceptor = new Acceptor(journal)
    await acceptor.accept(document(), [figure('2025-01', '100', '2025-03-10')])
    // With the print twice on record, the current one would seem to be late.
    expect(await acceptor.accept(document(), [figure('2025-01', '100', '2025-02-10')])).toMatchObject({ redated: 1 })
    expect((await valuesOf(journal, 'releases')).map(({ late }) => late)).toEqual([false, false, false])
  })

  it('never lets recorded_at go back when the clock does', async () => {
    const { journal } = await openTestJournal()
    let now = Date.parse('2026-01-10T00:00:00Z')
    const acceptor = new Acceptor(journal, { now: () => now })
    await acceptor.accept(document(), [figure('2025-01', '1')])
    now -= 3_600_000
    await acceptor.accept(document(), [figure('2025-02', '1')])
    expect((await valuesOf(journal, 'releases')).map(({ recorded_at }) => recorded_at)).toEqual([
      '2026-01-10T00:00:00.000Z',
      '2026-01-10T00:00:00.000Z',
    ])
  })
})
