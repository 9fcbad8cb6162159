import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Tick } from '../../contracts/records.ts'
import { topics } from '../../contracts/topics.ts'
import { startArchiver } from '../archive/support/archived-journal.ts'
import { openTestJournal } from '../support/journal.ts'
import { almanac } from '../support/service.ts'
import { NOON, priceTick } from '../support/ticks.ts'

const symbols = ['XAU-USD', 'EUR-USD', 'BRENT-USD', 'USD-JPY', 'WHEAT-USD', 'COPPER-USD', 'COFFEE-USD', 'USD-CHF']

type Line = { readonly partition: number; readonly offset: number; readonly timestamp: number; readonly value: Tick }

/** A journal with 80 ticks, one each millisecond, spread over the partitions by symbol. */
async function journalWithTicks() {
  const { journal, directory } = await openTestJournal()
  for (let n = 0; n < 80; n += 1) {
    const symbol = symbols[n % symbols.length] as string
    const partition = journal.partitionFor('ticks', symbol)
    const value = priceTick(String(n + 1), { symbol, recorded: NOON + n })
    await journal.append('ticks', partition, [{ value, id: `tick-${n}`, at: NOON + n }])
  }
  return { journal, directory }
}

const replay = async (directory: string, ...args: string[]) => {
  const { code, stdout, stderr } = await almanac(['replay', 'ticks', ...args], { ALMANAC_DATA_DIR: directory })
  const lines = stdout.split('\n').filter((line) => line !== '')
  return { code, stdout, stderr, lines: lines.map((line) => JSON.parse(line) as Line) }
}

it('prints all partitions of a topic, merged by time, the same bytes each time', async () => {
  const { directory } = await journalWithTicks()
  const all = await replay(directory)
  expect(all.code).toBe(0)
  expect(new Set(all.lines.map(({ partition }) => partition)).size).toBeGreaterThan(2)
  expect(all.lines.map(({ value }) => value.price)).toEqual(Array.from({ length: 80 }, (_, n) => String(n + 1)))
  expect((await replay(directory)).stdout).toBe(all.stdout)

  const gold = await replay(directory, '--key', 'XAU-USD')
  expect(gold.lines.map(({ value }) => value.price)).toEqual(
    all.lines.filter(({ value }) => value.symbol === 'XAU-USD').map(({ value }) => value.price),
  )
})

it('says so where --to lies before the first offset that is kept', async () => {
  const { journal, directory } = await journalWithTicks()
  const partition = journal.partitionFor('ticks', 'XAU-USD')
  await journal.retain(NOON + 60 * 86_400_000)
  const { start } = await journal.bounds('ticks', partition)
  expect(start).toBeGreaterThan(1)
  expect(await replay(directory, '--partition', String(partition), '--to', '1')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`--to 1: ticks/${partition} holds offsets ${start} to`),
  })
})

it('prints what the journal has deleted from the archive, the same bytes as before', async () => {
  const { journal, directory } = await journalWithTicks()
  const before = await replay(directory)
  const archiver = startArchiver(journal, directory)
  await archiver.caughtUp()
  await archiver.stop()
  await journal.retain(NOON + 60 * 86_400_000)
  expect((await replay(directory)).lines.length).toBeLessThan(80)

  const env = { ALMANAC_DATA_DIR: directory, ALMANAC_ARCHIVE: join(directory, 'archive') }
  expect((await almanac(['replay', 'ticks'], env)).stdout).toBe(before.stdout)
  const partition = journal.partitionFor('ticks', 'XAU-USD')
  const from2 = before.lines.filter((line) => line.partition === partition && line.offset >= 2 && line.offset < 9)
  const some = await almanac(['replay', 'ticks', '--partition', String(partition), '--from', '2', '--to', '9'], env)
  expect(
    some.stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line)),
  ).toEqual(from2)
  expect(from2.length).toBeGreaterThan(2)
})

it('prints one partition where it is named, and says so where an offset needs one', async () => {
  const { journal, directory } = await journalWithTicks()
  const partition = journal.partitionFor('ticks', 'XAU-USD')
  const { end } = await journal.bounds('ticks', partition)
  const one = await replay(directory, '--partition', String(partition), '--from', '0', '--to', String(end))
  expect(one.lines.length).toBeGreaterThan(0)
  expect(new Set(one.lines.map((line) => line.partition))).toEqual(new Set([partition]))

  expect(await replay(directory, '--from', '3')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`ticks has ${topics.ticks.partitions} partitions with offsets of their own`),
  })
  expect(await replay(directory, '--partition', '0', '--from', '5', '--to', '3')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--from 5 is greater than --to 3'),
  })
})
