import { describe, expect, test } from 'vitest'
import type { TypedJournal } from '../../journal/typed.ts'
import { rebuildCandles, verifyCandles } from '../../projections/candle-copy.ts'
import { HandOvers } from '../../projections/hand-over.ts'
import { ticks } from '../../projections/views/ticks/project.ts'
import { randomFrom } from '../support/random.ts'
import { expectTrueCandles, randomTicks, rollAll, runRoller, SYMBOLS } from './support/candle-rolls.ts'
import { candlesOf } from './support/price-queries.ts'
import { appendTicks, tick } from './support/ticks.ts'
import { project, rows, until, useWorlds, type World } from './support/world.ts'

const world = useWorlds()
const { signal } = new AbortController()
const DAY = 86_400_000
const now = Date.now()

test('a running roller hands the candles over to a rebuild, and goes on behind it', async () => {
  const { journal, client } = await world()
  await appendTicks(journal, randomTicks(randomFrom(9), 300))
  await project(ticks, { journal, client })
  const { roller, stop } = runRoller({ journal, client, handOvers: new HandOvers(client, { lookMs: 20 }) })
  await roller.caughtUp
  await client.command({
    query: `ALTER TABLE candles UPDATE high = '99' WHERE symbol = 'XAU-USD' SETTINGS mutations_sync = 1`,
  })
  expect((await rebuildCandles({ journal, client, signal })).comparison?.differences).toBeGreaterThan(0)
  await appendTicks(journal, randomTicks(randomFrom(10), 100))
  await project(ticks, { journal, client })
  await until(async () => (await roller.progress()).lag === 0)
  await stop()
  await expectTrueCandles({ journal, client })
})

test('a rebuild exchanges nothing if a roller has written while it stood still', async () => {
  // A process that was stopped goes on as if it owned its claim, until a heartbeat tells it better.
  let isStopped = false
  const { journal, client } = await world((journal) => {
    const claim = journal.claim.bind(journal)
    const claimed = (name: string) =>
      Promise.resolve({ name, epoch: 0, lost: signal, position: async () => undefined, release: async () => undefined })
    return Object.assign(journal, { claim: (name: string) => (isStopped ? claimed(name) : claim(name)) })
  })
  await appendTicks(journal, randomTicks(randomFrom(11), 200))
  await project(ticks, { journal, client })
  await rollAll({ journal, client })
  isStopped = true
  const query = client.query.bind(client)
  let isOvertaken = false
  const overtaking = (async (params: Parameters<typeof query>[0]) => {
    const answer = await query(params)
    if (params.query.includes('groupArrayIf') && !isOvertaken) {
      isOvertaken = true
      await appendTicks(journal, randomTicks(randomFrom(12), 100))
      await project(ticks, { journal, client })
      await rollAll({ journal, client })
    }
    return answer
  }) as typeof query
  const options = { journal, client: Object.assign(client, { query: overtaking }), signal }
  await expect(rebuildCandles(options)).rejects.toMatchObject({ code: 'overtaken' })
  await expectTrueCandles({ journal, client })
})

describe('where ticks are gone', () => {
  test('a candle stays, and a late tick is added to it, not to what is left', async () => {
    const { journal, client } = await world()
    const from = now - 10 * DAY
    await appendTicks(journal, randomTicks(randomFrom(3), 500, from))
    await project(ticks, { journal, client })
    await rollAll({ journal, client })
    await client.command({ query: 'ALTER TABLE ticks DELETE WHERE _offset % 3 > 0 SETTINGS mutations_sync = 1' })
    await appendTicks(journal, randomTicks(randomFrom(4), 100, from))
    await project(ticks, { journal, client })
    await rollAll({ journal, client })
    await expectTrueCandles({ journal, client })
  })

  test('and were not counted, it stops until a rebuild has got past them', async () => {
    const { journal, client } = await world()
    await appendTicks(journal, [tick('XAU-USD', '1', now - 90 * DAY)])
    await project(ticks, { journal, client })
    await client.command({ query: 'TRUNCATE TABLE ticks' })
    await appendTicks(journal, [tick('XAU-USD', '1', now - 89 * DAY), tick('XAU-USD', '2', now)])
    await rollAll({ journal, client })
    await client.command({
      query: `INSERT INTO candles (symbol, _partition, _offset) VALUES ('', ${journal.partitionFor('ticks', 'XAU-USD')}, 0)`,
    })
    await journal.retain(now)
    const { roller, stop } = runRoller({ journal, client })
    await expect(roller.caughtUp).rejects.toMatchObject({ code: 'journal_gap' })
    await expect(stop()).rejects.toThrow('table candles is at 0')
    await project(ticks, { journal, client })
    await rebuildCandles({ journal, client, signal })
    await rollAll({ journal, client })
    await expectTrueCandles({ journal, client }, ['XAU-USD'])
  })

  test('and came back only as far as the journal has them, older candles stay', async () => {
    const { journal, client } = await world()
    await appendTicks(journal, randomTicks(randomFrom(13), 200, now - 40 * DAY))
    await appendTicks(journal, randomTicks(randomFrom(14), 200))
    await appendTicks(journal, [tick('XAU-USD', '1', now - DAY)])
    await project(ticks, { journal, client })
    await rollAll({ journal, client })
    await journal.retain(now)
    await client.command({ query: 'TRUNCATE TABLE ticks' })
    await project(ticks, { journal, client })
    const kept = `SELECT * FROM candles FINAL WHERE symbol != '' ORDER BY ALL`
    const before = await rows(client, kept)
    expect(await verifyCandles({ journal, client, signal })).toMatchObject({ differences: 0 })
    const { comparison, takenOver } = await rebuildCandles({ journal, client, signal })
    expect(comparison).toMatchObject({ differences: 0 })
    expect(takenOver).toBeGreaterThan(0)
    expect(comparison?.rows).toBeGreaterThan(0)
    expect((comparison?.rows ?? 0) + takenOver).toBe(before.length)
    expect(await rows(client, kept)).toEqual(before)
  })

  test('verify looks at whole minutes only, and finds a wrong candle there', async () => {
    const { journal, client } = await world()
    await appendTicks(journal, randomTicks(randomFrom(5), 300, now - 59 * DAY + 3_600_000))
    await appendTicks(journal, randomTicks(randomFrom(6), 300))
    await project(ticks, { journal, client })
    await rollAll({ journal, client })
    const found = await verifyCandles({ journal, client, signal })
    expect(found).toMatchObject({ differences: 0 })
    const [all] = await rows<{ n: number }>(
      client,
      `SELECT toUInt32(count()) AS n FROM candles FINAL WHERE symbol != ''`,
    )
    expect(found.rows).toBeLessThan(all?.n ?? 0)
    await client.command({
      query: `ALTER TABLE candles UPDATE high = '99' WHERE symbol = 'XAU-USD' AND source = 'TEST' SETTINGS mutations_sync = 1`,
    })
    const wrong = await verifyCandles({ journal, client, signal })
    expect(wrong.differences).toBeGreaterThan(0)
    expect(wrong.examples[0]).toMatchObject({ symbol: 'XAU-USD', source: 'TEST' })

    const { comparison, takenOver } = await rebuildCandles({ journal, client, signal })
    expect(comparison?.differences).toBe(wrong.differences)
    expect(takenOver).toBe((all?.n ?? 0) - found.rows)
    expect(await verifyCandles({ journal, client, signal })).toEqual(found)
    const more = randomTicks(randomFrom(8), 50)
    await appendTicks(journal, more)
    const since = Math.min(...more.map(({ recorded_at }) => Date.parse(recorded_at)))
    expect(await verifyCandles({ journal, client, signal })).toEqual({
      ...found,
      behind: { records: more.length, since },
    })
    await project(ticks, { journal, client })
    await rollAll({ journal, client })
    expect(await verifyCandles({ journal, client, signal })).toMatchObject({ differences: 0 })
  })
})

describe('offsets that the journal has not given out', () => {
  const FAR = '18446744073709551615'
  const forge = (client: World['client'], symbol: string, minute: number) =>
    client.command({
      query: `INSERT INTO candles (symbol, source, minute, high, _partition, _offset)
        VALUES ('${symbol}', '${symbol && 'TEST'}', ${minute}, '99', 0, ${FAR})`,
    })
  const partition = 0

  /** A symbol of that partition. */
  const symbolIn = (journal: TypedJournal) =>
    SYMBOLS.find((symbol) => journal.partitionFor('ticks', symbol) === partition) ?? ''

  async function rolled(): Promise<World> {
    const made = await world()
    await appendTicks(made.journal, randomTicks(randomFrom(21), 300))
    await project(ticks, made)
    await rollAll(made)
    return made
  }

  test('a marker: the roller refuses, verify names it, a rebuild mends it', async () => {
    const { journal, client } = await rolled()
    const before = await verifyCandles({ journal, client, signal })
    await forge(client, '', 0)
    const refused = runRoller({ journal, client })
    await expect(refused.roller.caughtUp).rejects.toMatchObject({
      code: 'journal_behind',
      message: expect.stringContaining('`./almanac rebuild candles`'),
    })
    await refused.stop().catch(() => undefined)
    const { end } = await journal.bounds('ticks', partition)
    const beyond = [{ partition, end, last: FAR, rows: 1 }]
    const found = await verifyCandles({ journal, client, signal })
    expect(found).toEqual({ ...before, differences: 1, beyond })
    expect((await rebuildCandles({ journal, client, signal })).comparison).toEqual(found)
    expect(await verifyCandles({ journal, client, signal })).toEqual(before)
    await appendTicks(journal, randomTicks(randomFrom(22), 50))
    await project(ticks, { journal, client })
    await rollAll({ journal, client })
    await expectTrueCandles({ journal, client })
  })

  test('a marker that the journal reaches while a rebuild compares: mended all the same', async () => {
    const { journal, client } = await rolled()
    const { end } = await journal.bounds('ticks', partition)
    await client.command({
      query: `INSERT INTO candles (symbol, _partition, _offset) VALUES ('', ${partition}, ${end + 1})`,
    })
    const query = client.query.bind(client)
    let grown = 0
    const growing = (async (params: Parameters<typeof query>[0]) => {
      const answer = await query(params)
      const more = [1, 2, 3].map((price) => tick(symbolIn(journal), `${price}`, now))
      if (params.query.includes('groupArrayIf') && grown++ === 0) await appendTicks(journal, more)
      return answer
    }) as typeof query
    await rebuildCandles({ journal, client: Object.assign(client, { query: growing }), signal })
    expect(grown).toBeGreaterThan(0)
    await project(ticks, { journal, client })
    await rollAll({ journal, client })
    await expectTrueCandles({ journal, client })
  })

  test('a candle, which would win over every later one: found, and mended, though its ticks be gone', async () => {
    const { journal, client } = await rolled()
    const symbol = symbolIn(journal)
    const old = Math.floor((now - 100 * DAY) / 60_000) * 60_000
    const recent = Math.floor((now - 10 * DAY) / 60_000) * 60_000
    await forge(client, symbol, old)
    await forge(client, symbol, recent)
    expect(await verifyCandles({ journal, client, signal })).toMatchObject({ beyond: [{ partition, rows: 2 }] })
    await rebuildCandles({ journal, client, signal })
    expect(await verifyCandles({ journal, client, signal })).toMatchObject({ differences: 0, beyond: [] })
    // A candle whose ticks are gone can't be judged, but it takes in ticks that come later.
    await appendTicks(journal, [tick(symbol, '100', old, { recordedAt: now })])
    await project(ticks, { journal, client })
    await rollAll({ journal, client })
    expect(await candlesOf(client, symbol, old, old + 1)).toMatchObject([{ high: '100', ticks: 1 }])
  })

  test('a tick: the roller stops, and no candle counts it', async () => {
    const { journal, client } = await rolled()
    const { roller, running } = runRoller({ journal, client })
    await roller.caughtUp
    await client.command({
      query: `INSERT INTO ticks (appended_at, _partition, _offset, _marker) VALUES (now(), ${partition}, ${FAR}, true)`,
    })
    await expect(running).rejects.toMatchObject({
      code: 'journal_behind',
      message: expect.stringContaining('`./almanac rebuild ticks`'),
    })
    expect(await verifyCandles({ journal, client, signal })).toMatchObject({ differences: 0, beyond: [] })
  })
})
