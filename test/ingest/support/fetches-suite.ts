import { expect, it } from 'vitest'
import { FetchBoard } from '../../../domain/fetch-board.ts'
import { Acceptor } from '../../../ingest/accept/accept.ts'
import { datasetRunner } from '../../../ingest/schedule/run-dataset.ts'
import { fred } from '../../../ingest/sources/fred/index.ts'
import { foldTopic } from '../../../journal/fold.ts'
import type { TypedJournal } from '../../../journal/typed.ts'
import { serve } from '../../support/http-server.ts'
import { timeWith } from '../../support/wall-clock.ts'
import { newMemory } from './memory.ts'

const FIGURES = 'observation_date,UNRATE\n2026-09-01,4.3\n2026-10-01,4.4\n'
const SERIES = { source: 'FRED', dataset: 'UNRATE' }

/** When a dataset was fetched, from its publisher to a reader of the journal. `open` opens an empty journal. */
export function fetchesSuite(open: () => Promise<TypedJournal>): void {
  it('records when a fetch ended without error, news or not, and lets a failed one change nothing', async () => {
    const journal = await open()
    let answer = { status: 200, tag: '"1"', body: FIGURES }
    const { address } = await serve((request, response) => {
      const { status, tag, body } = answer
      const isKnown = status === 200 && request.headers['if-none-match'] === tag
      response.writeHead(isKnown ? 304 : status, { ETag: tag }).end(isKnown ? '' : body)
    })
    const remembered = newMemory()
    /** Runs the job at a time, in a process that has just started. */
    const runAt = (now: string) => {
      const acceptor = new Acceptor(journal)
      const time = timeWith(() => Date.parse(now))
      const sources = { fred: fred({ address }) }
      const run = datasetRunner({ sources, journal, acceptor: () => acceptor, remembered, pauseMs: 0, time })
      return run('fred/UNRATE', { attempt: 1, signal: new AbortController().signal })
    }
    const lastOf = async () => {
      const board = new FetchBoard()
      const stop = new AbortController()
      await foldTopic(journal, 'fetches', (fetched) => board.apply(fetched), stop.signal).caughtUp
      stop.abort()
      return board.lastOf(SERIES)
    }
    expect(await lastOf()).toBeNull()
    expect(await runAt('2026-11-20T10:00:00.000Z')).toBe('2 new')
    expect(await lastOf()).toBe('2026-11-20T10:00:00.000Z')
    expect(await runAt('2026-11-21T10:00:00.000Z')).toBe('not modified')
    expect(await lastOf()).toBe('2026-11-21T10:00:00.000Z')
    answer = { ...answer, status: 503 }
    await expect(runAt('2026-11-22T10:00:00.000Z')).rejects.toThrow('503')
    answer = { status: 200, tag: '"2"', body: '<html>Maintenance</html>' }
    expect(await runAt('2026-11-23T10:00:00.000Z')).toBe('1 rejected')
    expect(await lastOf()).toBe('2026-11-21T10:00:00.000Z')
  })
}
