import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Lineage } from '../../domain/lineage.ts'
import { endOfPeriod } from '../../domain/period.ts'
import { unknownDay } from '../../domain/release-calendar.ts'
import { QUIET_MS } from '../../domain/release-watch.ts'
import { calendarProcessor } from '../../processors/calendar/process.ts'
import { fileCheckpoints } from '../../processors/checkpoint.ts'
import { eventsProcessor } from '../../processors/events/process.ts'
import { runProcessor } from '../../processors/runtime.ts'
import { type Fault, faultyJournal } from '../support/faulty-journal.ts'
import { openTestJournal, recordsOf, until, valuesOf } from '../support/journal.ts'
import { accepted, candidate, testSeries } from '../support/releases.ts'
import { timeWith } from '../support/wall-clock.ts'

const DAY = 86_400_000
const series = testSeries()
const at = Date.parse('2025-05-01T00:00:00Z')
const prints = ['2025-01', '2025-02', '2025-03'].map((period) => {
  const on = new Date(Date.parse(endOfPeriod(period)) + 30 * DAY).toISOString().slice(0, 10)
  const released = { on, basis: 'publisher' } as const
  return accepted(candidate(series, period, { value: '1' }, { released }), undefined, new Date(at).toISOString())
})

const faults: readonly Fault[] = ['unknown_but_written', 'ok', 'unknown_and_not_written', 'unavailable']

it('announces each change in one event, whatever becomes of its transactions, over restarts with and without checkpoint', async () => {
  let turn = 0
  const { journal, directory } = await openTestJournal((real) =>
    faultyJournal(real, () => faults[turn++ % faults.length] ?? 'ok'),
  )
  const drafts = prints.map((value) => ({ value, id: value.release_id, at }))
  await journal.append('releases', 0, drafts)
  let now = at + QUIET_MS

  const seen = async () =>
    (await valuesOf(journal, 'events'))
      .filter(({ family }) => family === 'calendar')
      .map(({ type, subject }) => `${subject.slice(-7)} ${type.split('.')[2]}`)
  /** Runs the processors until these events of the calendar are on record. */
  const runUntil = async (checkpoints: string, expected: readonly string[]) => {
    const stop = new AbortController()
    const options = {
      journal,
      checkpoints: fileCheckpoints(join(directory, checkpoints), new Lineage(journal)),
      signal: stop.signal,
      time: timeWith(() => now),
    }
    const running = Promise.all([runProcessor(calendarProcessor, options), runProcessor(eventsProcessor, options)])
    await Promise.race([running, until(`${expected}`, async () => (await seen()).length >= expected.length)])
    expect(await seen()).toEqual(expected)
    stop.abort()
    await running
  }
  await runUntil('checkpoints', ['2025-04 expected'])
  now = Date.parse('2025-06-02T04:00:00Z')
  const announced = ['2025-04 expected', '2025-04 late', '2025-05 expected']
  await runUntil('checkpoints', announced)
  const said = {
    change: 'cancelled',
    country: 'USA',
    indicator: 'cpi',
    period: '2025-05',
    series: series.id,
    ...unknownDay,
    reason: 'no survey',
    recorded_at: new Date(now).toISOString(),
  } as const
  await journal.append('calendar', 0, [{ value: said, id: 'a', at: now }])
  await journal.append('calendar', 0, [{ value: said, id: 'b', at: now }])
  await runUntil('no checkpoints', [...announced, '2025-05 cancelled', '2025-06 expected'])

  const signals = await recordsOf(journal, 'signals')
  expect(new Set(signals.map(({ value }) => value.signal_id)).size).toBe(signals.length)
  for (const { headers } of signals) expect(headers.cause).toMatch(/^calendar\/0\/\d+$/)
})
