import { expect, it } from 'vitest'
import { FEED } from '../../contracts/instruments.ts'
import { ownWriter } from '../../ingest/feed/own-writer.ts'
import { type Journal, JournalError } from '../../journal/journal.ts'
import { faultyJournal } from '../support/faulty-journal.ts'
import { openTestJournal } from '../support/journal.ts'

/** A journal of the test's own whose first claim fails. */
const failingFirst = async (error: Error) => {
  const { journal } = await openTestJournal((real): Journal => {
    const errors = [error]
    const claim: Journal['claim'] = (name, signal) => {
      const first = errors.shift()
      return first ? Promise.reject(first) : real.claim(name, signal)
    }
    return Object.assign(
      faultyJournal(real, () => 'ok'),
      { claim },
    )
  })
  return journal
}

it.each(['full', 'unavailable', 'outcome_unknown', 'fenced'] as const)(
  'a journal that is %s while the source is claimed is waited for',
  async (code) => {
    const stop = new AbortController()
    const lost: string[] = []
    let turns = 0
    await ownWriter(
      {
        journal: await failingFirst(new JournalError(code, 'injected')),
        source: FEED,
        signal: stop.signal,
        onEvent: (event) => event.type === 'turn_lost' && lost.push(event.error.code),
      },
      async () => {
        turns++
        stop.abort()
      },
    )
    expect(lost).toEqual([code])
    expect(turns).toBe(1)
  },
)

it('a fault that waiting does not mend is thrown', async () => {
  const journal = await failingFirst(new JournalError('unknown_topic', 'injected'))
  const { signal } = new AbortController()
  await expect(ownWriter({ journal, source: FEED, signal }, async () => undefined)).rejects.toThrow('unknown_topic')
})
