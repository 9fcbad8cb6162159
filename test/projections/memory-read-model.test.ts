import { describe, expect, it } from 'vitest'
import { systemTime } from '../../base/time.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import { Projector } from '../../projections/projector.ts'
import { events } from '../../projections/views/events/project.ts'
import { ticks } from '../../projections/views/ticks/project.ts'
import { TableMoved, writeBlock } from '../../projections/write-block.ts'
import { openTestJournal, until } from '../support/journal.ts'
import { eventNumber } from '../support/journal-records.ts'
import { realTime } from '../support/memory-journal/time.ts'
import { insertAnswers, MemoryReadModel } from '../support/memory-read-model.ts'
import { randomFrom } from '../support/random.ts'
import { NOON, priceTick } from '../support/ticks.ts'

const SEED = Number(process.env.ALMANAC_TEST_SEED ?? Date.now() % 1_000_000)
const never = new AbortController().signal
const columns = ['_partition', '_offset']
const block = (after: number, through: number) => {
  const lines = Array.from({ length: through - after }, (_, i) => `[0,${after + 1 + i}]\n`)
  return { partition: 0, after, through, rows: lines.length, body: [Buffer.from(lines.join(''))] }
}
const offsetsIn = (readModel: MemoryReadModel, table = 't') => readModel.rowsOf(table).map(({ _offset }) => _offset)

describe('a block', () => {
  it.concurrent.for(insertAnswers)('is written once though its insert is: %s', async (answer, { expect }) => {
    const readModel = new MemoryReadModel({ longestMs: 300, random: () => 0.9 })
    await readModel.prepare({ name: 't' })
    const target = { readModel, table: 't', columns, run: 'run', time: systemTime }
    await writeBlock(target, block(-1, 2), never)
    readModel.rates = { [answer]: 1 }
    const failures: unknown[] = []
    const onRetry = (error: unknown) => {
      failures.push(error)
      readModel.rates = {}
    }
    await writeBlock(target, block(2, 5), never, onRetry)
    expect(readModel.fired.get(answer)).toBe(1)
    // Success is no proof after a block that was lost at the rename: it is sent again under another token.
    expect(failures).toHaveLength({ late: 0, lost_at_the_rename: 2 }[answer as string] ?? 1)
    readModel.rates = {}
    await writeBlock(target, block(5, 8), never)
    expect(offsetsIn(readModel)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
  })

  it('of a table that another projector has moved on is not written', async () => {
    const readModel = new MemoryReadModel({ rates: { refused: 1 } })
    await readModel.prepare({ name: 't' })
    const target = { readModel, table: 't', columns, run: 'run', time: systemTime }
    const others = { ...block(-1, 9), body: [Buffer.from('[0,9]\n')] }
    const onRetry = () => {
      readModel.rates = {}
      void readModel.insert('t', columns, others.body, 'of another run')
    }
    await expect(writeBlock(target, block(-1, 2), never, onRetry)).rejects.toThrow(TableMoved)
    expect(offsetsIn(readModel)).toEqual([9])
  })
})

it('a block that an earlier run lost at the rename is not dropped by the token of that run', async () => {
  const readModel = new MemoryReadModel({ rates: { lost_at_the_rename: 1 } })
  await readModel.prepare({ name: 't' })
  const target = { readModel, table: 't', columns, time: systemTime }
  const killed = new AbortController()
  const first = writeBlock({ ...target, run: 'first' }, block(-1, 2), killed.signal, () => killed.abort())
  await expect(first).rejects.toThrow()
  readModel.rates = {}
  await writeBlock({ ...target, run: 'second' }, block(-1, 2), never)
  expect(offsetsIn(readModel)).toEqual([0, 1, 2])
})

it(`a projector writes each record once, whatever becomes of its inserts (seed ${SEED})`, async () => {
  const { journal } = await openTestJournal()
  const append = (from: number, count: number) =>
    journal.append(
      'events',
      0,
      Array.from({ length: count }, (_, i) => ({ value: eventNumber(from + i), id: `${from + i}`, at: 1_000 })),
    )
  const rates = Object.fromEntries(insertAnswers.map((answer) => [answer, 0.07]))
  const readModel = new MemoryReadModel({ ...realTime, random: randomFrom(SEED), rates, longestMs: 30 })
  const runUntil = async (journal: TypedJournal, count: number, write: () => Promise<unknown>) => {
    const stop = new AbortController()
    const projector = new Projector(events, { journal, readModel, intervalMs: 1 })
    const running = projector.run(stop.signal)
    await write()
    await until(`${count} rows`, () => readModel.rowsOf('events').length >= count, 5)
    stop.abort()
    await running
  }
  await readModel.prepare(events)
  // The second projector goes on where the table says, as after a kill.
  for (const from of [0, 10])
    await runUntil(journal, from + 10, async () => {
      for (let i = 0; i < 10; i++) await append(from + i, 1)
    })
  expect(offsetsIn(readModel, 'events')).toEqual(Array.from({ length: 20 }, (_, i) => i))
})

it(`a projector of several partitions keeps them apart, though their offsets are alike (seed ${SEED})`, async () => {
  const { journal } = await openTestJournal()
  const append = (partition: number, count: number) =>
    journal.append(
      'ticks',
      partition,
      Array.from({ length: count }, (_, i) => ({
        value: priceTick(`${i + 1}`),
        id: `${partition}/${i}/${count}`,
        at: NOON,
      })),
    )
  // The first partition is ahead of the others, of which two end alike and one has no record.
  const counts = [9, 4, 4, 1, 0, 7]
  const rates = Object.fromEntries(insertAnswers.map((answer) => [answer, 0.05]))
  const readModel = new MemoryReadModel({ ...realTime, random: randomFrom(SEED), longestMs: 30 })
  await readModel.prepare(ticks)
  for (let round = 1; round <= 2; round++) {
    // The first round is without failures, which could hide that a block was dropped.
    readModel.rates = round === 1 ? {} : rates
    for (const [partition, count] of counts.entries()) if (count > 0) await append(partition, count)
    const stop = new AbortController()
    const projector = new Projector(ticks, { journal, readModel, intervalMs: 1 })
    const running = projector.run(stop.signal)
    const ends = await Promise.all(counts.map(async (_, partition) => (await journal.bounds('ticks', partition)).end))
    await until('the watermarks are at the ends', async () => {
      const { watermarks } = await projector.progress()
      return ends.every((end, partition) => end === 0 || watermarks.get(partition) === end - 1)
    })
    stop.abort()
    await running
    // After each round: the next projector would write what this one had lost.
    const rows = readModel.rowsOf('ticks').filter(({ _marker }) => _marker === false)
    for (const partition of counts.keys()) {
      const written: number[] = []
      for await (const { records } of journal.readToEnd('ticks', partition))
        written.push(...records.map(({ offset }) => offset))
      const own = rows.filter(({ _partition }) => _partition === partition).map(({ _offset }) => _offset)
      expect(own, `round ${round}, partition ${partition}`).toEqual(written)
    }
  }
})
