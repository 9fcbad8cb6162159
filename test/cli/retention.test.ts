import { describe, expect, it } from 'vitest'
import { enforceRetention } from '../../cli/processes/retention.ts'
import { randomFrom } from '../support/random.ts'
import { SimulatedTime } from '../support/simulated-time.ts'

const HOUR = 3_600_000

function started(read: Promise<unknown>) {
  const time = new SimulatedTime(randomFrom(1))
  const begun = time.now()
  const stopping = new AbortController()
  const deletions: number[] = []
  const failures: unknown[] = []
  const retain = async (now: number) => {
    deletions.push(now - begun)
    if (deletions.length === 2) throw new Error('disk full')
  }
  const onFailure = (error: unknown) => failures.push(error)
  const done = enforceRetention({ journal: { retain }, read, onFailure, signal: stopping.signal, time })
  return { time, stopping, deletions, failures, done }
}

describe('retention', () => {
  it('begins once all is read, and goes on every ten minutes, also after a failure', async () => {
    const read = Promise.withResolvers<void>()
    const { time, stopping, deletions, failures, done } = started(read.promise)
    await time.advance(HOUR)
    expect(deletions).toEqual([])
    read.resolve()
    await time.advance(HOUR / 2)
    expect(deletions).toEqual([0, 1, 2, 3].map((n) => HOUR + (n * HOUR) / 6))
    expect(failures).toEqual([new Error('disk full')])
    stopping.abort()
    await done
  })

  it('waits no longer than a day', async () => {
    const { time, deletions } = started(new Promise(() => undefined))
    await time.advance(24 * HOUR - 1)
    expect(deletions).toEqual([])
    await time.advance(1)
    expect(deletions).toEqual([24 * HOUR])
  })

  it('deletes nothing while a service ends because a reader failed', async () => {
    const { time, stopping, deletions, done } = started(Promise.reject(new Error('journal_gap')))
    await time.advance(HOUR)
    stopping.abort()
    await done
    expect(deletions).toEqual([])
  })
})
