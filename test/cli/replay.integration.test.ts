import type { ChildProcess } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Tick } from '../../contracts/records.ts'
import { topics } from '../../contracts/topics.ts'
import { startArchiver } from '../archive/support/archived-journal.ts'
import { runCommand } from '../support/command.ts'
import { openEmbeddedTestJournal } from '../support/embedded-journal.ts'
import { almanac } from '../support/service.ts'
import { NOON, priceTick } from '../support/ticks.ts'

const symbols = ['XAU-USD', 'EUR-USD', 'BRENT-USD', 'USD-JPY', 'WHEAT-USD', 'COPPER-USD', 'COFFEE-USD', 'USD-CHF']

type Line = { readonly partition: number; readonly offset: number; readonly timestamp: number; readonly value: Tick }

/** A journal with 80 ticks, one each millisecond, spread over the partitions by symbol. */
async function journalWithTicks() {
  const { journal, directory } = await openEmbeddedTestJournal()
  for (let n = 0; n < 80; n += 1) {
    const symbol = symbols[n % symbols.length] as string
    const partition = journal.partitionFor('ticks', symbol)
    const value = priceTick(String(n + 1), { symbol, recorded: NOON + n })
    await journal.append('ticks', partition, [{ value, id: `tick-${n}`, at: NOON + n }])
  }
  return { journal, directory }
}

const replay = async (directory: string, ...args: string[]) => {
  const { code, stdout, stderr } = await runCommand(['replay', 'ticks', ...args], { ALMANAC_DATA_DIR: directory })
  return { code, stdout, stderr, lines: linesOf(stdout) }
}

const linesOf = (stdout: string): Line[] =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

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

it('ends with 130 if it is interrupted before it has printed all', async () => {
  const { journal, directory } = await openEmbeddedTestJournal()
  // More than a pipe holds that nobody reads.
  const drafts = Array.from({ length: 5_000 }, (_, n) => ({
    value: priceTick(String(n + 1), { symbol: 'XAU-USD', recorded: NOON + n }),
    id: `tick-${n}`,
    at: NOON + n,
  }))
  await journal.append('ticks', 0, drafts)
  const interrupt = (child: ChildProcess) => {
    child.stdout?.pause()
    child.stdout?.once('readable', () => {
      child.kill('SIGINT')
      child.once('exit', () => child.stdout?.resume())
    })
  }
  const { code, stderr, stdout } = await almanac(['replay', 'ticks'], { ALMANAC_DATA_DIR: directory }, interrupt)
  expect({ code, stderr }).toEqual({ code: 130, stderr: 'almanac: interrupted: the output is not whole\n' })
  expect(stdout.split('\n').length).toBeLessThan(5_000)
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
  expect((await runCommand(['replay', 'ticks'], env)).stdout).toBe(before.stdout)
  // A record that the journal has deleted: the look-up of its time must find it in the archive.
  const early = before.lines[20]
  if (!early) throw new Error('there are fewer than 21 lines')
  const range = ['--from', new Date(early.timestamp).toISOString(), '--to', new Date(early.timestamp + 1).toISOString()]
  const expected = before.lines.filter(({ timestamp }) => timestamp === early.timestamp)
  expect(linesOf((await runCommand(['replay', 'ticks', ...range], env)).stdout)).toEqual(expected)

  const partition = journal.partitionFor('ticks', 'XAU-USD')
  const from2 = before.lines.filter((line) => line.partition === partition && line.offset >= 2 && line.offset < 9)
  const some = await runCommand(['replay', 'ticks', '--partition', String(partition), '--from', '2', '--to', '9'], env)
  expect(linesOf(some.stdout)).toEqual(from2)
  expect(from2.length).toBeGreaterThan(2)
})

it('names a damaged archive in one line, and ends with the code of damage', async () => {
  const { directory } = await journalWithTicks()
  const archive = join(directory, 'archive')
  await mkdir(archive)
  await writeFile(join(archive, 'archive.json'), '{')
  const env = { ALMANAC_DATA_DIR: directory, ALMANAC_ARCHIVE: archive }
  expect(await runCommand(['replay', 'ticks'], env)).toMatchObject({
    code: 4,
    stdout: '',
    stderr: expect.stringMatching(/^almanac: .*archive\.json.*\n$/),
  })
})

it('refuses the archive of another journal', async () => {
  const [{ directory }, other] = [await journalWithTicks(), await journalWithTicks()]
  const archiver = startArchiver(other.journal, other.directory)
  await archiver.caughtUp()
  await archiver.stop()
  const env = { ALMANAC_DATA_DIR: directory, ALMANAC_ARCHIVE: join(other.directory, 'archive') }
  expect(await runCommand(['replay', 'ticks'], env)).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(`is the archive of journal ${other.journal.id}, not `),
  })
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

it('takes times, which need no partition, and offsets beside them', async () => {
  const { journal, directory } = await journalWithTicks()
  const iso = (n: number) => new Date(NOON + n).toISOString()
  const prices = (lines: readonly Line[]) => lines.map(({ value }) => Number(value.price))
  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n + 1)

  const slice = await replay(directory, '--from', iso(20), '--to', iso(30))
  expect(prices(slice.lines)).toEqual(range(20, 30))
  // The same instant in another time zone, and a date, which is its midnight.
  const zoned = new Date(NOON + 20 + 3_600_000).toISOString().replace('Z', '+01:00')
  expect((await replay(directory, '--from', zoned, '--to', iso(30))).stdout).toBe(slice.stdout)
  const [day, dayAfter] = [iso(0).slice(0, 10), new Date(NOON + 86_400_000).toISOString().slice(0, 10)]
  expect(prices((await replay(directory, '--from', day, '--to', dayAfter)).lines)).toEqual(range(0, 80))
  expect((await replay(directory, '--from', dayAfter)).lines).toEqual([])

  const partition = journal.partitionFor('ticks', 'XAU-USD')
  const mixed = await replay(directory, '--partition', String(partition), '--from', '1', '--to', iso(40))
  const one = await replay(directory, '--partition', String(partition))
  expect(mixed.lines).toEqual(one.lines.filter(({ offset, timestamp }) => offset >= 1 && timestamp < NOON + 40))

  // It ends by itself, because the partition has a record at or after that time.
  const followed = await replay(directory, '--follow', '--partition', String(partition), '--to', iso(40))
  expect(followed.lines).toEqual(one.lines.filter(({ timestamp }) => timestamp < NOON + 40))

  for (const [args, fault] of [
    [['--from', iso(30), '--to', iso(20)], `--from ${iso(30)} is greater than --to ${iso(20)}`],
    [['--from', '2026-02-30'], '--from takes an offset or a time, such as 42'],
    [['--to', '5'], 'add --partition 0 to'],
    [['--to', '1764154800'], 'or use times; it looks like Unix seconds: write 2025-11-26T11:00:00Z'],
    [['--from', '1764154800123456'], 'it looks like Unix microseconds: write 2025-11-26T11:00:00.123Z'],
    [
      ['--partition', String(partition), '--from', '1764154800123'],
      'it looks like Unix milliseconds: write 2025-11-26T11:00:00.123Z',
    ],
    [
      ['--partition', String(partition), '--to', '20261126', '--follow'],
      'it looks like a date without hyphens: write 2026-11-26',
    ],
  ] as const) {
    expect(await replay(directory, ...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(fault) })
  }
})
