import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Tick } from '../../contracts/records.ts'
import { Lineage } from '../../domain/lineage.ts'
import { type Journal, JournalError } from '../../journal/journal.ts'
import { fileCheckpoints } from '../../processors/checkpoint.ts'
import type { Processor } from '../../processors/processor.ts'
import { runProcessor } from '../../processors/runtime.ts'
import { faultyJournal } from '../support/faulty-journal.ts'
import { openTestJournal, until } from '../support/journal.ts'
import { timerTick } from '../support/ticks.ts'

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
