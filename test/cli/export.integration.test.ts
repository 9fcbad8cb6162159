import { hash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { readFile, truncate, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { encodeEventCursor } from '../../domain/cursor.ts'
import { type CommandOutput, runCommand } from '../support/command.ts'
import { openEmbeddedTestJournal } from '../support/embedded-journal.ts'
import { temporaryDirectory } from '../support/journal.ts'
import { eventNumber, releaseNumber } from '../support/journal-records.ts'
import { randomFrom } from '../support/random.ts'
import { almanac } from '../support/service.ts'
import { NOON, priceTick } from '../support/ticks.ts'

/** Processes that are killed; set it to 50 for a long run. */
const KILLS = Number(process.env.ALMANAC_TEST_KILLS ?? 2)
const SEED = Number(process.env.ALMANAC_TEST_SEED ?? Date.now() % 1_000_000)

/** A journal whose ticks have several files' records, with some releases and events. */
async function filledDirectory(ticks: number): Promise<string> {
  const { journal, directory } = await openEmbeddedTestJournal()
  for (let n = 0; n < ticks; n += 5_000) {
    const drafts = Array.from({ length: Math.min(5_000, ticks - n) }, (_, i) => ({
      value: priceTick(`${n + i}.5`, { symbol: i % 2 === 0 ? 'XAU-USD' : 'EUR-USD', recorded: NOON + n + i }),
      id: `tck_${n + i}`,
      at: NOON + n + i,
    }))
    await journal.append('ticks', (n / 5_000) % 6, drafts)
  }
  for (let n = 0; n < 20; n++) {
    const [release, event] = [releaseNumber(n), eventNumber(n)]
    await journal.append('releases', 0, [{ value: release, id: release.release_id, at: NOON + n }])
    await journal.append('events', 0, [{ value: event, id: event.id, at: NOON + n }])
  }
  return directory
}

const run = (data: string, ...args: string[]): Promise<CommandOutput> =>
  runCommand(['export', ...args], { ALMANAC_DATA_DIR: data })

/** Hash of every file below a directory, by name. */
async function filesIn(directory: string): Promise<Record<string, string>> {
  const names = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  const files = names.map(
    async (name) => [name.slice(directory.length + 1), hash('sha256', await readFile(name))] as const,
  )
  return Object.fromEntries(await Promise.all(files))
}

describe('almanac export', () => {
  it('writes the lines that replay prints, says where to go on, and changes nothing when it is run again', async () => {
    const data = await filledDirectory(30)
    const out = join(await temporaryDirectory(), 'new/directory')
    const args = ['events', 'releases', '--format', 'ndjson', '--out', out]
    const first = await run(data, ...args)
    expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining('holds 40 records in 2 ndjson files') })
    expect(first.stdout).toMatch(/events\/0: offset 20\n {2}releases\/0: offset 20\n {2}next event: cursor v1\./)
    const files = await filesIn(out)
    expect(Object.keys(files).sort()).toEqual([
      'events/0/000000000000000-000000000000020.ndjson',
      'manifest.json',
      'releases/0/000000000000000-000000000000020.ndjson',
    ])
    const replayed = await runCommand(['replay', 'releases'], { ALMANAC_DATA_DIR: data })
    expect(files['releases/0/000000000000000-000000000000020.ndjson']).toBe(hash('sha256', replayed.stdout))
    expect(await run(data, ...args)).toMatchObject({ code: 0, stdout: expect.stringContaining('already holds 40') })
    expect(await filesIn(out)).toEqual(files)
  })

  it(`goes on after SIGKILL at any point, to the same bytes (seed ${SEED})`, async () => {
    const random = randomFrom(SEED)
    const data = await filledDirectory(30_000)
    const whole = await temporaryDirectory()
    const env = { ALMANAC_DATA_DIR: data }
    const args = ['ticks', 'releases', '--format', 'csv', '--out']
    const started = Date.now()
    expect(await almanac(['export', ...args, whole], env)).toMatchObject({ code: 0 })
    const took = Date.now() - started
    const expected = await filesIn(whole)
    for (let kill = 0; kill < KILLS; kill++) {
      const out = await temporaryDirectory()
      const after = took * (0.3 + (0.7 * (kill + random())) / KILLS)
      await almanac(['export', ...args, out], env, (child) => setTimeout(() => child.kill('SIGKILL'), after).unref())
      expect(await run(data, ...args, out), `killed after ${after} ms`).toMatchObject({ code: 0 })
      expect(await filesIn(out), `killed after ${after} ms`).toEqual(expected)
    }
  })

  it('finds every file that is damaged, missing or left over', async () => {
    const data = await filledDirectory(10_000)
    const out = await temporaryDirectory()
    await run(data, 'ticks', '--format', 'parquet', '--out', out)
    expect(await run(data, 'verify', out)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('2 files checked, no damage found'),
    })
    const [one, two] = [
      'ticks/0/000000000000000-000000000005000.parquet',
      'ticks/1/000000000000000-000000000005000.parquet',
    ]
    const bytes = await readFile(join(out, one))
    bytes.writeUInt8(bytes.readUInt8(1_000) ^ 1, 1_000)
    await writeFile(join(out, one), bytes)
    await unlink(join(out, two))
    await writeFile(join(out, 'ticks/2.parquet'), '')
    const { code, stderr } = await run(data, 'verify', out)
    expect(code).toBe(4)
    expect(stderr).toContain(`${one}: does not have the hash`)
    expect(stderr).toContain(`${two}: is missing`)
    expect(stderr).toContain('ticks/2.parquet: is not in the manifest')
    await truncate(join(out, 'manifest.json'), 100)
    expect(await run(data, 'verify', out)).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('damaged: manifest.json'),
    })
    expect(await run(data, 'verify', data)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('holds no export'),
    })
  })
})

/** Arguments that are refused, with what is said of them. */
const refused = [
  [['tick', '--format', 'csv'], 'unknown topic "tick"; did you mean ticks?'],
  [['--format', 'csv'], 'name one topic or more of releases'],
  [['ticks', 'ticks', '--format', 'csv'], 'topic ticks is named twice'],
  [['ticks', '--format', 'parkett'], '--format "parkett" is unknown'],
  [
    ['ticks', '--format', 'csv', '--country', 'USA'],
    'records of the topic ticks have no country; it can be filtered by --key, --symbol',
  ],
  [['events', '--format', 'csv', '--key', 'x'], 'records of the topic events have no key'],
  [
    ['releases', '--format', 'csv', '--country', 'Germany'],
    '--country "Germany" is unknown; did you mean DEU (Germany)?',
  ],
  [['releases', '--format', 'csv', '--indicator', 'gpd'], '--indicator "gpd" is unknown; did you mean gdp'],
  [['ticks', '--format', 'csv', '--from', '5'], 'add --partition 0 to 5, or use a time'],
  [['ticks', 'releases', '--format', 'csv', '--from', '5'], 'export one topic, or use a time'],
  [['ticks', '--format', 'csv', '--partition', '6'], '--partition 6: topic ticks has partitions 0 to 5'],
  [['releases', '--format', 'csv', '--from', 'yesterday'], '--from takes an offset or a time'],
  [['releases', '--format', 'csv', '--to', '21'], '--to 21: releases/0 holds offsets 0 to 19'],
  [['releases', '--format', 'csv', '--from', '20261126'], 'it looks like a date without hyphens: write 2026-11-26'],
  [['ticks', '--format', 'csv', '--from', '1764154800'], 'or use a time; it looks like Unix seconds: write 2025-11'],
  [['releases', '--format', 'csv', '--from', '9', '--to', '3'], '--to lies before --from: offset 3 before 9'],
  [['releases', '--format', 'csv', '--from', 'v1.x'], 'a cursor is a place among the events'],
  [['events', '--format', 'csv', '--from', 'v1.x'], 'The text is not a cursor'],
  [
    ['events', '--format', 'csv', '--from', encodeEventCursor({ journal: 'other', sequence: 3, hint: 3 })],
    'The cursor belongs to another journal',
  ],
] as const

describe('almanac export refuses', () => {
  it('what the journal does not have, and leaves no file', async () => {
    const data = await filledDirectory(30)
    const out = await temporaryDirectory()
    for (const [args, fault] of refused) {
      const found = await run(data, ...args, '--out', out)
      expect(found, args.join(' ')).toMatchObject({ code: 2, stderr: expect.stringContaining(fault) })
      expect(await filesIn(out)).toEqual({})
    }
  })

  it('to go on with an export of records that a restore has lost', async () => {
    const data = await filledDirectory(1)
    const [backup, used, restored] = [
      await temporaryDirectory(),
      await temporaryDirectory(),
      await temporaryDirectory(),
    ]
    expect(await runCommand(['backup', backup], { ALMANAC_DATA_DIR: data })).toMatchObject({ code: 0 })
    const common = ['ticks', '--format', 'csv', '--out', join(used, 'common')]
    expect(await run(data, ...common)).toMatchObject({ code: 0 })
    const { journal } = await openEmbeddedTestJournal(undefined, data)
    const release = releaseNumber(20)
    await journal.append('releases', 0, [{ value: release, id: release.release_id, at: NOON + 20 }])
    const beyond = ['releases', '--format', 'csv', '--out', join(used, 'beyond')]
    expect(await run(data, ...beyond)).toMatchObject({ code: 0 })
    expect(await runCommand(['restore', backup], { ALMANAC_DATA_DIR: restored })).toMatchObject({ code: 0 })
    const fault = 'holds an export of another history of this journal'
    expect(await run(restored, ...beyond)).toMatchObject({ code: 2, stderr: expect.stringContaining(fault) })
    expect(await run(restored, ...common)).toMatchObject({ code: 0, stderr: '' })
  })

  it('a directory with another export, with that of another journal, or with other files', async () => {
    const args = ['releases', '--format', 'csv', '--out']
    const data = await filledDirectory(1)
    const used = await temporaryDirectory()
    expect(await run(data, ...args, used)).toMatchObject({ code: 0 })
    const files = await filesIn(used)
    const faults = [
      [await run(data, ...args, used, '--country', 'USA'), 'holds another export, of {"topics":["releases"]'],
      [await run(await filledDirectory(1), ...args, used), 'holds an export of journal'],
      [await run(data, ...args, data), 'is not empty, and holds no export'],
      [await run(data, ...args, join(used, 'manifest.json')), 'is no directory'],
      [await run(data, 'releases', '--format', 'csv'), '--out is missing'],
    ] as const
    for (const [found, fault] of faults)
      expect(found).toMatchObject({ code: 2, stderr: expect.stringContaining(fault) })
    expect(await filesIn(used)).toEqual(files)
  })
})
