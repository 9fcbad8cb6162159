import { describe, expect, test } from 'vitest'
import type { Generation } from '../../contracts/generations.ts'
import type { Journal } from '../../journal/journal.ts'
import { rebuildCandles } from '../../projections/candle-copy.ts'
import { rebuild } from '../../projections/rebuild.ts'
import { remakeOutdated } from '../../projections/remake-outdated.ts'
import { verify } from '../../projections/verify.ts'
import { events } from '../../projections/views/events/project.ts'
import { ticks } from '../../projections/views/ticks/project.ts'
import { eventNumber } from '../support/journal-records.ts'
import { expectTrueCandles, rollAll } from './support/candle-rolls.ts'
import { appendTicks, tick } from './support/ticks.ts'
import { append, project, rows, runProjector, useWorlds, type World } from './support/world.ts'

const world = useWorlds()
const someEvents = (from: number, count: number) => Array.from({ length: count }, (_, i) => eventNumber(from + i))
const signal = new AbortController().signal
const DAY = 86_400_000

/** A journal as it is after a restore: with the id of another one, and a generation more. */
const restored = (id: string, generations: readonly Generation[]) => (journal: Journal) =>
  new Proxy(journal, {
    get(inner, member) {
      if (member === 'id') return id
      if (member === 'generations') return generations
      const value = Reflect.get(inner, member, inner)
      return typeof value === 'function' ? value.bind(inner) : value
    },
  })

/** A store with a table of `count` events, and the journal that was restored from a backup of the first three. */
async function storeOverRestore(count: number) {
  const before = await world()
  await append(before.journal, 'events', someEvents(0, count))
  await project(events, before)
  const generations = [{ id: 'after-the-restore', branch: { event: 4, ends: { 'events/0': 3 } } }]
  const { journal } = await world(restored(before.journal.id, generations))
  await append(journal, 'events', [...someEvents(0, 3), ...someEvents(50, 4)])
  return { before, after: { journal, client: before.client } }
}

const sequences = async ({ client }: Pick<World, 'client'>) =>
  (await rows<{ s: number }>(client, 'SELECT sequence AS s FROM events ORDER BY _offset')).map(({ s }) => s)
const mismatch = { code: 'table_mismatch' }

describe('a store that is kept over a restore of the journal', () => {
  test('is refused where its table has lost events, until it is rebuilt', async () => {
    const { after } = await storeOverRestore(5)
    const { projector, stop } = runProjector(events, after)
    await expect(projector.caughtUp).rejects.toMatchObject(mismatch)
    await expect(stop()).rejects.toThrow('table events has rows of another history of this journal')
    await expect(verify(events, { ...after, signal })).rejects.toMatchObject(mismatch)

    await rebuild(events, { ...after, signal })
    await project(events, after)
    expect(await sequences(after)).toEqual([...someEvents(0, 3), ...someEvents(50, 4)].map(({ sequence }) => sequence))
    expect(await verify(events, { ...after, signal })).toMatchObject({ differences: 0 })
  })

  test('goes on where its table has nothing but what the backup had, and is then of the new generation', async () => {
    const { before, after } = await storeOverRestore(3)
    await project(events, after)
    expect(await sequences(after)).toHaveLength(7)
    expect(await verify(events, { ...after, signal })).toMatchObject({ differences: 0 })

    const { projector, stop } = runProjector(events, before)
    await expect(projector.caughtUp).rejects.toMatchObject(mismatch)
    await expect(stop()).rejects.toThrow('of another history of this journal')
  })

  test('is made anew at the start of a service that has it alone', async () => {
    const { after } = await storeOverRestore(5)
    const remade: string[] = []
    await remakeOutdated([events], { ...after, signal }, (table, because) => remade.push(`${table}: ${because}`))
    expect(remade).toEqual(['events: restore'])
    await project(events, after)
    expect(await verify(events, { ...after, signal })).toMatchObject({ differences: 0 })
    await remakeOutdated([events], { ...after, signal }, (table) => remade.push(table))
    expect(remade).toHaveLength(1)
  })

  test('has no candle of a tick that the journal has lost, and counts none twice that came again', async () => {
    const before = await world()
    const now = Date.now()
    const [kept, lost] = [now - 100 * DAY, now - 101 * DAY]
    const ingested = (price: string, at: number) => tick('XAU-USD', price, at, { recordedAt: now })
    await appendTicks(before.journal, [ingested('1', kept)])
    await project(ticks, before)
    await rollAll(before)
    const partition = before.journal.partitionFor('ticks', 'XAU-USD')
    const { end } = await before.journal.bounds('ticks', partition)
    await appendTicks(before.journal, [ingested('2', lost), ingested('3', lost + 60_000)])
    await project(ticks, before)
    await rollAll(before)

    const generations = [{ id: 'restored', branch: { event: 1, ends: { [`ticks/${partition}`]: end } } }]
    const { journal } = await world(restored(before.journal.id, generations))
    const after = { journal, client: before.client }
    await appendTicks(journal, [ingested('1', kept), ingested('4', now), ingested('5', now)])
    await rebuild(ticks, { ...after, signal })
    expect(await rebuildCandles({ ...after, signal })).toMatchObject({ takenOver: 1 })
    await appendTicks(journal, [ingested('2', lost)])
    await project(ticks, after)
    await rollAll(after)
    await expectTrueCandles(after, ['XAU-USD'])
  })

  test('is made anew although the journal grows up to the rows that it has lost', async () => {
    const { after } = await storeOverRestore(10)
    const { journal, client } = after
    const query = client.query.bind(client)
    let grown = 0
    // A processor of the same start appends while the copy is compared.
    const growing = (async (params: Parameters<typeof query>[0]) => {
      const answer = await query(params)
      if (params.query.includes('sipHash') && grown++ === 0) await append(journal, 'events', someEvents(54, 3))
      return answer
    }) as typeof query
    const options = { journal, client: Object.assign(client, { query: growing }), signal }
    await remakeOutdated([events], options, () => undefined)
    expect(grown).toBeGreaterThan(0)
    await project(events, after)
    expect(await verify(events, { ...after, signal })).toMatchObject({ rows: 10, differences: 0 })
  })
})
