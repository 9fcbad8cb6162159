import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Acceptor } from '../../../ingest/accept/accept.ts'
import { InProcessSchedule } from '../../../ingest/schedule/in-process.ts'
import { datasetRunner, mayPass } from '../../../ingest/schedule/run-dataset.ts'
import { runFile } from '../../../ingest/schedule/run-file.ts'
import { PermanentFailure, RetryLater, type Run } from '../../../ingest/schedule/schedule.ts'
import { type Document, DocumentError, documentOf, ParserUnavailable, type Source } from '../../../ingest/source.ts'
import { ecb } from '../../../ingest/sources/ecb/index.ts'
import { JournalError } from '../../../journal/journal.ts'
import type { TypedJournal } from '../../../journal/typed.ts'
import { hourly } from '../../contracts/schedule-contract.ts'
import { serve } from '../../support/http-server.ts'
import { openTestJournal, until, valuesOf } from '../../support/journal.ts'
import { newMemory } from '../support/memory.ts'

const rates = readFileSync(new URL('../../fixtures/ecb/eurofxref-hist-90d.xml', import.meta.url))
const JOB = 'ecb/eurofxref-daily'
const soon = { attempts: 6, backoff: { baseMs: 20, capMs: 20 } }

/** A source whose one document says nothing; `meanwhile` is what goes on while its publisher is asked. */
const testSource = (meanwhile: (dataset: string, signal: AbortSignal | undefined) => Promise<void>): Source => ({
  name: 'TEST',
  publisher: 'TEST',
  licence: 'None',
  datasets: { a: 'A', b: 'B' },
  downloadable: ['a', 'b'],
  async *fetch({ datasets = [], signal, now }): AsyncIterable<Document> {
    for (const dataset of datasets) {
      await meanwhile(dataset, signal)
      const origin = { source: 'TEST', dataset, publisher: 'TEST', licence: 'None', url: 'https://example.org/' }
      yield documentOf(Buffer.from('none'), { ...origin, retrievedAt: now().toISOString() })
    }
  },
  parse: () => [],
})

const runner = (journal: TypedJournal, sources: Record<string, Source>, more: { claimMs?: number } = {}) => {
  const acceptor = new Acceptor(journal)
  return datasetRunner({ sources, journal, acceptor: () => acceptor, remembered: newMemory(), pauseMs: 0, ...more })
}
const never = new AbortController().signal
const first = { attempt: 1, signal: never }

describe('the run of a dataset', () => {
  it('outlasts a publisher that fails twice', async () => {
    const { journal, directory } = await openTestJournal()
    const publisher = await serve((_request, response) => {
      const away = publisher.requests.length <= 2
      response.writeHead(away ? 503 : 200).end(away ? 'come back later' : rates)
    })
    const ended: Run[] = []
    const onRun = (_name: string, run: Run) => ended.push(run)
    const schedule = new InProcessSchedule(runFile(join(directory, 'runs')), { retries: soon, onRun })
    onTestFinished(() => schedule.stop())
    await schedule.start([hourly(JOB)], runner(journal, { ecb: ecb({ address: publisher.address }) }))
    await until('it succeeded', () => ended.some(({ outcome }) => outcome === 'succeeded'))
    expect(ended.map(({ outcome }) => outcome)).toEqual(['retrying', 'retrying', 'succeeded'])
    expect(ended[0]?.detail).toContain('answered 503: come back later')
    expect(ended[2]?.detail).toMatch(/^\d+ prices/)
    expect(publisher.requests).toEqual(Array(3).fill('/stats/eurofxref/eurofxref-daily.xml'))
    // The same again is recognised.
    expect(await schedule.trigger(JOB)).toBe('started')
    await until('it ran again', () => ended.length === 4)
    expect(ended[3]?.detail).toMatch(/^\d+ unchanged/)
  })

  it('asks a publisher that refuses but once', async () => {
    const { journal } = await openTestJournal()
    const publisher = await serve((_request, response) => response.writeHead(404).end('gone'))
    const run = runner(journal, { ecb: ecb({ address: publisher.address }) })
    await expect(run(JOB, first)).rejects.toThrow(PermanentFailure)
    await expect(run(JOB, first)).rejects.toThrow('http_404')
    await expect(run('nobody/a', first)).rejects.toThrow(PermanentFailure)
  })

  it('asks a publisher again when that says, the sources as they are', async () => {
    const { journal } = await openTestJournal()
    const publisher = await serve((_request, response) => response.writeHead(503, { 'Retry-After': '7200' }).end())
    const from = Date.now()
    const run = runner(journal, { ecb: ecb({ address: publisher.address }) })
    const error = await run(JOB, first).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(RetryLater)
    expect((error as RetryLater).notBefore).toBeGreaterThanOrEqual(from + 7_200_000)
  })

  it('puts what cannot be read into quarantine, and has done its work', async () => {
    const { journal } = await openTestJournal()
    const publisher = await serve((_request, response) => response.end('<html>down for maintenance'))
    const run = runner(journal, { ecb: ecb({ address: publisher.address }) })
    expect(await run(JOB, first)).toBe('1 rejected')
    expect((await valuesOf(journal, 'quarantine')).length).toBeGreaterThan(0)
  })

  it('tells what passes from what doesn’t', () => {
    const passing = ['unreachable', 'timed_out', 'truncated', 'http_408', 'http_429', 'http_500', 'http_503']
    const lasting = ['http_400', 'http_403', 'http_404', 'too_large', 'bad_redirect', 'file_only', 'link_not_found']
    for (const reason of passing) expect(mayPass(new DocumentError(reason, '')), reason).toBe(true)
    for (const reason of lasting) expect(mayPass(new DocumentError(reason, '')), reason).toBe(false)
    expect(mayPass(new JournalError('unavailable', ''))).toBe(true)
    expect(mayPass(new JournalError('record_too_large', ''))).toBe(false)
    expect(mayPass(new TypeError('ours'))).toBe(false)
  })

  it('is tried again where the parser could not be started, and nothing goes into quarantine', async () => {
    const { journal } = await openTestJournal()
    const unavailable = new ParserUnavailable('The parser could not be started: no memory.')
    const parse = () => {
      throw unavailable
    }
    const run = runner(journal, { test: { ...testSource(async () => undefined), parse } })
    await expect(run('test/a', first)).rejects.toBe(unavailable)
    expect(await valuesOf(journal, 'quarantine')).toEqual([])
  })

  it('is one at a time for a dataset, whatever the process: the second is put off', async () => {
    const { journal } = await openTestJournal()
    const gate = Promise.withResolvers<void>()
    let running = 0
    let most = 0
    const sources = {
      test: testSource(async () => {
        most = Math.max(most, ++running)
        await gate.promise
        running--
      }),
    }
    // Two runners are two nodes: each has lines and an acceptor of its own, and they share the journal alone.
    const one = runner(journal, sources)('test/a', first)
    await until('the first runs', () => running === 1)
    const second = runner(journal, sources, { claimMs: 50 })
    const refused = await second('test/a', first).catch((error: unknown) => error)
    expect(String(refused)).toContain('another process has held the claim ingest/test/a for 0.05 s')
    expect(mayPass(refused)).toBe(true)
    const other = runner(journal, sources)('test/b', first)
    await until('another dataset runs beside it', () => running === 2)
    gate.resolve()
    expect(await Promise.all([one, other])).toEqual(['nothing', 'nothing'])
    expect(most).toBe(2)
    expect(await runner(journal, sources)('test/a', first)).toBe('nothing')
  })

  it('asks one publisher for one dataset at a time, and others meanwhile', async () => {
    const { journal } = await openTestJournal()
    const gates = { a: Promise.withResolvers<void>(), b: Promise.withResolvers<void>() }
    const begun: string[] = []
    const slow = testSource(async (dataset) => {
      begun.push(dataset)
      await gates[dataset as 'a' | 'b'].promise
    })
    const run = runner(journal, { slow, quick: testSource(async () => void begun.push('quick')) })
    const runs = [run('slow/a', first), run('slow/b', first)]
    await until('the first runs', () => begun.includes('a'))
    expect(await run('quick/a', first)).toBe('nothing')
    expect(begun).toEqual(['a', 'quick'])
    gates.a.resolve()
    await until('the second runs', () => begun.includes('b'))
    gates.b.resolve()
    await Promise.all(runs)
  })

  it('goes on with the next dataset after one that failed', async () => {
    const { journal } = await openTestJournal()
    const run = runner(journal, {
      test: testSource(async (dataset) => {
        if (dataset === 'a') throw new DocumentError('unreachable', 'away')
      }),
    })
    const [a, b] = await Promise.allSettled([run('test/a', first), run('test/b', first)])
    expect([a?.status, b?.status]).toEqual(['rejected', 'fulfilled'])
  })

  it('ends when it is told to, and leaves the dataset to others', async () => {
    const { journal } = await openTestJournal()
    const stop = new AbortController()
    let requests = 0
    const sources = {
      test: testSource(async (_dataset, signal) => {
        if (++requests > 1) return
        stop.abort(new Error('stopping'))
        signal?.throwIfAborted()
      }),
    }
    await expect(runner(journal, sources)('test/a', { attempt: 1, signal: stop.signal })).rejects.toThrow('stopping')
    expect(await runner(journal, sources, { claimMs: 5_000 })('test/a', first)).toBe('nothing')
  })
})
