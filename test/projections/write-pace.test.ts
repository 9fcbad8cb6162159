import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { TypedBatch } from '../../journal/typed.ts'
import { WritePace } from '../../projections/gathering.ts'
import { projectPartition } from '../../projections/project-partition.ts'
import { columnsOf } from '../../projections/view.ts'
import { events } from '../../projections/views/events/project.ts'
import { eventNumber } from '../support/journal-records.ts'
import { timeAndChance } from '../support/memory-journal/time.ts'
import { MemoryReadModel } from '../support/memory-read-model.ts'
import { randomFrom } from '../support/random.ts'
import { SimulatedTime } from '../support/simulated-time.ts'

const [INTERVAL_MS, TRICKLE_MS] = [150, 2_000]

/** Projects one record after each of the pauses. Returns the time from each record to its row, and the number of writes. */
async function project(
  pauses: readonly number[],
): Promise<{ readonly waits: readonly number[]; readonly writes: number }> {
  const time = new SimulatedTime(randomFrom(1))
  const readModel = new MemoryReadModel(timeAndChance(time))
  await Promise.all([readModel.prepare(events), time.advance(1)])
  const stop = new AbortController()
  const came: number[] = []
  async function* batches(): AsyncGenerator<TypedBatch<'events'>> {
    // The first one says that there is nothing to catch up with.
    yield { records: [], next: 0, end: 0 }
    for (const [offset, pause] of pauses.entries()) {
      await time.after(pause)
      came.push(time.monotonic())
      const record = { topic: 'events' as const, partition: 0, offset, key: null, timestamp: time.now(), headers: {} }
      yield { records: [{ ...record, value: eventNumber(offset) }], next: offset + 1, end: offset + 1 }
    }
    await new Promise((resolve) => stop.signal.addEventListener('abort', resolve))
  }
  const target = { readModel, table: events.name, columns: columnsOf(events), run: 'run', time }
  const place = { view: events, partition: 0, watermark: -1, forgets: false }
  const pace = { intervalMs: INTERVAL_MS, trickleMs: TRICKLE_MS }
  const projecting = projectPartition({ ...place, target, batches, ...pace, signal: stop.signal })
  await time.runUntil(() => readModel.rowsOf(events.name).length === pauses.length)
  await time.advance(1)
  const stored = readModel.arrivalsOf(events.name).map(({ storedAt }) => storedAt)
  stop.abort()
  await Promise.all([projecting, time.advance(1)])
  return { waits: came.map((at, i) => (stored[i] ?? Number.NaN) - at), writes: new Set(stored).size }
}

const times = (count: number, pause: number) => Array.from({ length: count }, () => pause)

it('writes what comes after a pause at once, and what follows from it within the interval', async () => {
  const { waits } = await project([60_000, 30, 30, 200, 60_000, 5_000, 30])
  const [first, derived, , , later, again] = waits
  expect([first, later, again]).toEqual([0, 0, 0])
  expect(derived).toBe(INTERVAL_MS - 30)
  expect(Math.max(...waits)).toBeLessThan(INTERVAL_MS)
})

it('makes few writes while records go on coming, and is quick again after a pause', async () => {
  const flow = times(600, 100)
  const { waits, writes } = await project([60_000, ...flow, 60_000])
  expect(writes).toBeLessThanOrEqual(60_000 / TRICKLE_MS + 12)
  expect(Math.max(...waits)).toBeLessThanOrEqual(TRICKLE_MS)
  expect(waits.at(-1)).toBe(0)
})

it('lets no record wait for longer than a trickle gathers, however they come', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(0, 1, 40, 150, 700, 2_000, 20_000), { maxLength: 80 }),
      async (pauses) => {
        // After the first half minute, in which a start gathers briefly.
        const { waits } = await project([31_000, ...pauses])
        expect(Math.max(...waits)).toBeLessThanOrEqual(TRICKLE_MS)
      },
    ),
    { numRuns: 40 },
  ))

it('lets nothing wait longer because many full blocks were written', () =>
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 900 }), { minLength: 1, maxLength: 300 }), (pauses) => {
      const pace = new WritePace(TRICKLE_MS, 0)
      let now = 0
      for (const pause of pauses) {
        now += pause
        pace.noteWrite(now)
      }
      expect(pace.dueAt(INTERVAL_MS)).toBeLessThanOrEqual(now + TRICKLE_MS)
      expect(pace.dueAfterLast(INTERVAL_MS)).toBe(now + INTERVAL_MS)
    }),
  ))
