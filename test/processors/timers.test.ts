import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { Standing, Tick } from '../../contracts/records.ts'
import { Lineage } from '../../domain/lineage.ts'
import { type Journal, JournalError } from '../../journal/journal.ts'
import { fileCheckpoints } from '../../processors/checkpoint.ts'
import type { Processor } from '../../processors/processor.ts'
import { runProcessor } from '../../processors/runtime.ts'
import { startTimers } from '../../processors/timers.ts'
import { faultyJournal } from '../support/faulty-journal.ts'
import { openTestJournal, recordsOf, until } from '../support/journal.ts'
import { SimulatedTime, settle } from '../support/simulated-time.ts'
import { iso, timerTick } from '../support/ticks.ts'

/** Wants one timer, and is told once it is read back. */
const oneTimer = (tick: Tick): Processor<'ticks', { fired: boolean }> => ({
  name: 'timer-test',
  inputs: ['ticks'],
  version: 1,
  init: () => ({ fired: false }),
  process(state) {
    state.fired = true
    return []
  },
  *timers({ fired }, now) {
    if (!fired) yield { dueAt: now, tick: () => ({ topic: 'ticks', draft: { value: tick, id: 'timer', at: now } }) }
  },
})
const usual = timerTick('XAU-USD', 0)
const standing: Standing = { kind: 'timer', symbol: '', source: 'TEST', lapse: null, signal: null, recorded_at: iso(0) }

/** Runs it on a journal whose appends fail as `fault` says. */
async function run(tick: Tick, fault: () => Error | undefined) {
  const { journal, directory } = await openTestJournal((real): Journal => {
    const append: Journal['append'] = (write) => {
      const error = fault()
      return error ? Promise.reject(error) : real.append(write)
    }
    return Object.assign(
      faultyJournal(real, () => 'ok'),
      { append },
    )
  })
  const stop = new AbortController()
  const retries: unknown[] = []
  let position = 0
  const running = runProcessor(oneTimer(tick), {
    journal,
    checkpoints: fileCheckpoints(join(directory, 'c'), new Lineage(journal)),
    signal: stop.signal,
    onRetry: (error) => retries.push(error),
    onProgress: (progress) => {
      position = progress.position
    },
  })
  running.catch(() => undefined)
  return { running, retries, stop, fired: () => position > 0 }
}

it('a timer that the journal can’t take is told of, and fires once it can', async () => {
  const faults = [new JournalError('full', 'injected'), new JournalError('unavailable', 'injected')]
  const left = [...faults]
  const { running, retries, stop, fired } = await run(usual, () => left.shift())
  await until('the timer is read back', fired)
  expect(retries).toEqual(faults)
  stop.abort()
  await running
})

it.each([
  ['a fault of ours', usual, new TypeError('injected')],
  ['a record that the journal never takes', usual, new JournalError('record_too_large', 'injected')],
  ['a tick that can’t be encoded', { ...usual, symbol: undefined } as unknown as Tick, undefined],
])('%s in a timer fails the processor', async (_, tick, error) => {
  const { running, retries } = await run(tick, () => error)
  const failure = await running.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(failure).toBeInstanceOf(Error)
  if (error) expect(failure).toBe(error)
  expect(retries).toEqual([])
})

it('timers of two topics that are due at once fire once each, however long it takes to read them back', async () => {
  const { journal } = await openTestJournal()
  const stop = new AbortController()
  const time = new SimulatedTime(() => 0)
  const failures: unknown[] = []
  const processor: Processor<'ticks' | 'standings', null> = {
    name: 'timers-of-two-topics',
    inputs: ['ticks', 'standings'],
    version: 1,
    init: () => null,
    process: () => [],
    *timers(_, now) {
      yield { dueAt: now, tick: () => ({ topic: 'ticks', draft: { value: usual, id: 'of ticks', at: now } }) }
      yield {
        dueAt: now,
        tick: () => ({ topic: 'standings', draft: { value: standing, id: 'of standings', at: now } }),
      }
    },
  }
  const ticker = startTimers(processor, null, {
    journal,
    partition: 0,
    signal: stop.signal,
    time,
    failed: (error) => failures.push(error),
  })
  onTestFinished(() => ticker.stop())
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 100) {
      time.pass(100)
      while (time.step()) await settle()
    }
  }
  await pass(500)
  expect(await journal.newest('ticks', 0)).toBeUndefined()
  ticker.arm(true)
  // Nothing has read them back yet, so that the state still wants them.
  await pass(1_000)
  expect(await recordsOf(journal, 'ticks')).toHaveLength(1)
  expect(await recordsOf(journal, 'standings')).toHaveLength(1)
  ticker.arm(true)
  await pass(200)
  expect(await recordsOf(journal, 'ticks')).toHaveLength(2)
  expect(failures).toEqual([])
})
