import { createHash, type Hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { boundsOf } from '../../archive/chain.ts'
import { exportFormats } from '../../archive/export/question.ts'
import { topics } from '../../contracts/topics.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import { openArchive, startArchiver } from '../archive/support/archived-journal.ts'
import { runCommand } from '../support/command.ts'
import { openEmbeddedTestJournal } from '../support/embedded-journal.ts'
import { temporaryDirectory, until } from '../support/journal.ts'
import { eventNumber } from '../support/journal-records.ts'
import { almanac, startService } from '../support/service.ts'
import { iso, priceTick } from '../support/ticks.ts'

/** Ticks and events, half of each; ALMANAC_TEST_RECORDS=10000000 takes some 45 minutes and 5 GB. */
const RECORDS = Number(process.env.ALMANAC_TEST_RECORDS ?? 8_000)
const isLong = process.env.ALMANAC_TEST_RECORDS !== undefined
/** Events in an export of the formats that are not exported whole. */
const SLICE = Math.min(1_000_000, RECORDS / 2)
const WHOLE_FORMATS: readonly string[] = ['parquet', 'ndjson']
const BATCH = 500
/** Most memory of each process, whatever the number of records, MB. */
const MEMORY_MB = 800
const TIMEOUT_MS = 600_000 + RECORDS

const used = [
  ...Array.from({ length: topics.ticks.partitions }, (_, partition) => ({ topic: 'ticks' as const, partition })),
  { topic: 'events' as const, partition: 0 },
]

/** Writes the records, which retention must not delete meanwhile. */
async function fill(journal: TypedJournal): Promise<void> {
  const start = Date.now() - 3_600_000
  const at = (n: number) => start + Math.floor(n / 10)
  for (let n = 0; n < RECORDS / 2; n += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, RECORDS / 2 - n) }, (_, i) => n + i)
    const ticks = numbers.map((i) => ({
      value: { ...priceTick(`${4_000 + (i % 977)}.${i % 100}`, { recorded: at(i) }), symbol: `S${i % 50}` },
      id: `tck_${i}`,
      at: at(i),
    }))
    const events = numbers.map((i) => ({ value: { ...eventNumber(i), time: iso(at(i)) }, id: `evt_${i}`, at: at(i) }))
    await journal.append('ticks', (n / BATCH) % topics.ticks.partitions, ticks)
    await journal.append('events', 0, events)
  }
}

/** Memory of a process without the pages of files that it maps, MB: those are the system's to drop. 0 once it has ended. */
function memoryMb(pid: number): number {
  try {
    return Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_000
  } catch {
    return 0
  }
}

function note(what: string, startedAt: number, memory: number): void {
  const took = ((performance.now() - startedAt) / 1_000).toFixed(1)
  console.log(`${what}: ${took} s, ${Math.round(memory)} MB`)
  expect(memory, what).toBeGreaterThan(0)
  expect(memory, what).toBeLessThan(MEMORY_MB)
}

/** Runs a command and returns what it printed. In a long run it is a process, whose time and memory are noted. */
async function run(dataDir: string, ...args: string[]): Promise<string> {
  if (!isLong) {
    const { code, stdout, stderr } = await runCommand(args, { ALMANAC_DATA_DIR: dataDir })
    expect(code, stderr).toBe(0)
    return stdout
  }
  const startedAt = performance.now()
  let memory = 0
  let watch: NodeJS.Timeout | undefined
  const { code, stdout, stderr } = await almanac(args, { ALMANAC_DATA_DIR: dataDir }, ({ pid = 0 }) => {
    watch = setInterval(() => (memory = Math.max(memory, memoryMb(pid))), 20)
  })
  clearInterval(watch)
  expect(code, stderr).toBe(0)
  note(args.slice(0, 4).join(' '), startedAt, memory)
  return stdout
}

/** Archives everything. In a long run this is done by a service with the role `archive` alone. */
async function archive(journal: TypedJournal, directory: string): Promise<void> {
  if (!isLong) {
    const archiver = startArchiver(journal, directory)
    await archiver.caughtUp()
    return archiver.stop()
  }
  const startedAt = performance.now()
  const service = await startService(directory, {
    ALMANAC_ROLES: 'archive',
    ALMANAC_DEMO: '0',
    ALMANAC_ARCHIVE: join(directory, 'archive'),
    ALMANAC_ARCHIVE_SEAL_SECONDS: '1',
  })
  onTestFinished(() => service.destroy())
  const node = service.processes().find(({ name }) => name === 'node.ts')
  let memory = 0
  const watch = setInterval(() => (memory = Math.max(memory, memoryMb(node?.pid ?? 0))), 20)
  onTestFinished(() => clearInterval(watch))
  const isArchived = async ({ topic, partition }: (typeof used)[number]) => {
    const chain = await openArchive(directory).then((opened) => opened.chain(topic, partition))
    return (boundsOf(chain)?.end ?? 0) >= (await journal.bounds(topic, partition)).end
  }
  await until(
    'everything is archived',
    async () => {
      await new Promise((resolve) => setTimeout(resolve, 200))
      return (await Promise.all(used.map((place) => isArchived(place).catch(() => false)))).every(Boolean)
    },
    undefined,
    TIMEOUT_MS,
  )
  note('archive', startedAt, memory)
  expect(await service.stop()).toBe(0)
}

/** Number of records of each partition, and a hash of all that they hold. */
async function contentOf(journal: TypedJournal): Promise<readonly unknown[]> {
  const contents = []
  for (const { topic, partition } of used) {
    const hash: Hash = createHash('sha256')
    let count = 0
    const { start, end } = await journal.bounds(topic, partition)
    for (let at = start; at < end; ) {
      const { records, next } = await journal.readPortable(topic, partition, at)
      for (const { body, ...rest } of records) hash.update(JSON.stringify(rest)).update(body)
      count += records.length
      at = next
    }
    contents.push({ topic, partition, start, end, count, hash: hash.digest('hex') })
  }
  return contents
}

it(
  `${RECORDS} records are archived, exported and imported again${isLong ? ` within ${MEMORY_MB} MB` : ''}`,
  async () => {
    const { journal, directory } = await openEmbeddedTestJournal()
    await fill(journal)
    const total = RECORDS.toLocaleString('en')

    await archive(journal, directory)
    expect(await run(directory, 'archive', 'verify', join(directory, 'archive'))).toContain('no damage found')
    const opened = await openArchive(directory)
    const chains = await Promise.all(used.map(({ topic, partition }) => opened.chain(topic, partition)))
    expect(chains.flat().reduce((sum, { count }) => sum + count, 0)).toBe(RECORDS)

    const [backup, again] = [await temporaryDirectory(), await temporaryDirectory()]
    expect(await run(directory, 'backup', backup)).toContain(`${total} records added`)
    expect(await run(again, 'import', backup)).toContain(`${total} records restored`)
    const imported = await openEmbeddedTestJournal(undefined, again)
    const [expected, found] = [await contentOf(journal), await contentOf(imported.journal)]
    expect(found).toEqual(expected)

    for (const format of exportFormats) {
      const out = await temporaryDirectory()
      const asked = WHOLE_FORMATS.includes(format) ? ['ticks', 'events'] : ['events', '--to', String(SLICE)]
      const printed = await run(directory, 'export', '--format', format, ...asked, '--out', out)
      const held = WHOLE_FORMATS.includes(format) ? RECORDS : SLICE
      expect(printed).toContain(`holds ${held.toLocaleString('en')} records`)
      if (held === RECORDS) expect(await run(directory, 'export', 'verify', out)).toContain('no damage found')
    }
  },
  TIMEOUT_MS,
)
