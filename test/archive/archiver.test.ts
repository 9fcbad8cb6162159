import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dataName, entryName } from '../../archive/chain-entry.ts'
import { readArchive } from '../../archive/read.ts'
import { openTestJournal, until } from '../support/journal.ts'
import {
  AT,
  expectSameRecords,
  openArchive,
  releaseDrafts,
  startArchiver,
  tickDrafts,
  writeSome,
} from './support/archived-journal.ts'

describe('an archiver', () => {
  it('archives what is there and what comes, and continues after a restart', async () => {
    const { journal, directory } = await openTestJournal()
    await writeSome(journal, 0, 20)
    const first = startArchiver(journal, directory)
    await first.caughtUp()
    await writeSome(journal, 20, 20)
    await first.caughtUp()
    await first.stop()
    expect(await expectSameRecords(journal, directory)).toBe(122)
    await writeSome(journal, 40, 5)
    const second = startArchiver(journal, directory)
    await second.caughtUp()
    await second.stop()
    expect(await expectSameRecords(journal, directory)).toBe(138)
    expect([...first.failures, ...second.failures]).toEqual([])
  })
  it('merges small segments, and keeps the digest', async () => {
    const { journal, directory } = await openTestJournal()
    const running = startArchiver(journal, directory)
    for (let n = 0; n < 20; n++) {
      await journal.append('releases', 0, releaseDrafts(n, 1))
      await running.caughtUp()
    }
    const archive = await openArchive(directory)
    await until('segments are merged', async () => (await archive.chain('releases', 0)).length < 8)
    await running.stop()
    expect((await archive.ranges('releases', 0)).length).toBeGreaterThanOrEqual(20)
    expect(await expectSameRecords(journal, directory)).toBe(20)
    expect(running.failures).toEqual([])
  })
  it('waits for a segment to be old', async () => {
    const { journal, directory } = await openTestJournal()
    const sealMs = 2_500
    const running = startArchiver(journal, directory, { sealMs })
    await until('it runs', async () => (await running.archiver.lags()).length > 0)
    const written = Date.now()
    await writeSome(journal, 0, 3)
    await running.caughtUp()
    await running.stop()
    const [entry] = await (await openArchive(directory)).chain('releases', 0)
    expect(Date.parse(entry?.sealed_at ?? '') - written).toBeGreaterThan(sealMs - 100)
  })
  it('has caught up once all that was there is archived', async () => {
    const { journal, directory } = await openTestJournal()
    await writeSome(journal, 0, 3)
    const running = startArchiver(journal, directory, { sealMs: 300 })
    await running.archiver.caughtUp
    const archive = await openArchive(directory)
    for (const topic of ['releases', 'events', 'quarantine'] as const) {
      const { end } = await journal.bounds(topic, 0)
      expect((await archive.chain(topic, 0)).at(-1)?.to).toBe(end)
    }
    await running.stop()
  })
  it('stands by while another one archives', async () => {
    const { journal, directory } = await openTestJournal()
    const first = startArchiver(journal, directory)
    await first.caughtUp()
    const second = startArchiver(journal, directory)
    await writeSome(journal, 0, 3)
    await first.caughtUp()
    expect(await second.archiver.lags()).toEqual([])
    expect([first, second].map(({ archiver }) => archiver.isOwner)).toEqual([true, false])
    const [entry] = await (await openArchive(directory)).chain('releases', 0)
    const sealedAt = Date.parse(entry?.sealed_at ?? '')
    expect(first.archiver.sealedAt).toBeGreaterThanOrEqual(sealedAt)
    expect(second.archiver.sealedAt).toBeUndefined()
    await first.stop()
    await writeSome(journal, 3, 3)
    await second.caughtUp()
    // It knows when the last segment was written also before it writes one.
    expect(second.archiver.sealedAt).toBeGreaterThanOrEqual(sealedAt)
    await second.stop()
    await expectSameRecords(journal, directory)
  })
  it('tells a fault of its store, and goes on once that is gone', async () => {
    const { journal, directory } = await openTestJournal()
    await writeFile(join(directory, 'archive'), 'a file where the directory should be')
    await writeSome(journal, 0, 3)
    const running = startArchiver(journal, directory)
    await until('it is told', () => running.archiver.fault !== undefined)
    expect(running.archiver.fault).toContain(`${join(directory, 'archive/archive.json')}: ENOTDIR`)
    await rm(join(directory, 'archive'))
    await running.caughtUp()
    expect(running.archiver.fault).toBeUndefined()
    await running.stop()
    await expectSameRecords(journal, directory)
  })
  it('tells a fault that nobody has thought of, and goes on once that is gone', async () => {
    const { journal, directory } = await openTestJournal()
    await writeSome(journal, 0, 3)
    let isUnknown = true
    const follow = journal.followPortable.bind(journal)
    const failing = (...asked: Parameters<typeof follow>) => {
      if (isUnknown) throw new TypeError('TEST is undefined')
      return follow(...asked)
    }
    Object.assign(journal, { followPortable: failing })
    const running = startArchiver(journal, directory)
    await until('it is told', () => running.archiver.fault === 'TEST is undefined')
    isUnknown = false
    await running.caughtUp()
    await running.stop()
    await expectSameRecords(journal, directory)
  })
  it('says in the chain that records are lost, and goes on behind them', async () => {
    const { journal, directory } = await openTestJournal()
    await journal.append('ticks', 0, tickDrafts(0, 10))
    const first = startArchiver(journal, directory)
    await first.caughtUp()
    await first.stop()
    await journal.append('ticks', 0, tickDrafts(10, 5))
    const day = 86_400_000
    const late = tickDrafts(40 * day, 3)
    await journal.append('ticks', 0, late)
    await journal.retain(AT + 40 * day)
    const { start } = await journal.bounds('ticks', 0)
    expect(start).toBeGreaterThan(10)
    const second = startArchiver(journal, directory)
    await second.caughtUp()
    await second.stop()
    expect(second.gaps).toEqual([{ from: 10, to: start }])
    const archive = await openArchive(directory)
    const read = async (from: number) => {
      let records = 0
      for await (const batch of readArchive(archive, 'ticks', 0, from)) records += batch.records.length
      return records
    }
    await expect(read(0)).rejects.toThrow(
      `deleted ticks/0 from offset 10 to ${start} before it was archived; read on from ${start}`,
    )
    expect(await read(start)).toBe(3)
  })
  it('tells a bit that has changed in its newest file, and goes on once the file is whole', async () => {
    const { journal, directory } = await openTestJournal()
    await journal.append('releases', 0, releaseDrafts(0, 3))
    const first = startArchiver(journal, directory)
    await first.caughtUp()
    await first.stop()
    const archive = await openArchive(directory)
    const [entry] = await archive.chain('releases', 0)
    const name = dataName('releases', entry?.file ?? '')
    const file = join(directory, 'archive', name)
    const whole = await readFile(file)
    const flipped = Buffer.from(whole)
    flipped[flipped.length - 1] = (flipped.at(-1) ?? 0) ^ 1
    await writeFile(file, flipped)
    const second = startArchiver(journal, directory)
    await until('it is told', () => second.archiver.fault !== undefined)
    expect(second.archiver.fault).toMatch(new RegExp(`^damaged: ${name}: .* have the SHA-256 `))
    await writeFile(file, whole)
    await second.caughtUp()
    await second.stop()
    await expectSameRecords(journal, directory)
  })
  it('records no gap where an entry is missing of which the journal has no records any more', async () => {
    const { journal, directory } = await openTestJournal()
    const day = 86_400_000
    // The first part of the chain is the longest one, and so goes on to be the chain.
    for (const [from, count] of [
      [0, 30],
      [30, 10],
      [40, 10],
    ] as const) {
      await journal.append('ticks', 0, tickDrafts(from, count))
      const running = startArchiver(journal, directory)
      await running.caughtUp()
      await running.stop()
    }
    await journal.append('ticks', 0, tickDrafts(40 * day, 3))
    await journal.retain(AT + 40 * day)
    const archive = await openArchive(directory)
    const [first, lost, behind] = await archive.chain('ticks', 0)
    if (!first || !lost || !behind) return expect.fail()
    expect((await journal.bounds('ticks', 0)).start).toBeGreaterThanOrEqual(behind.to)
    await rm(join(directory, 'archive', entryName('ticks', 0, lost)))
    await journal.append('ticks', 0, tickDrafts(41 * day, 1))
    const running = startArchiver(journal, directory)
    await until('it is told', () => running.archiver.fault !== undefined)
    await running.stop()
    expect(running.archiver.fault).toMatch(/^damaged: .* an entry is missing/)
    expect(running.gaps).toEqual([])
  })
  it('refuses to continue the archive of a journal that went another way', async () => {
    const [one, other] = [await openTestJournal(), await openTestJournal()]
    for (const { journal } of [one, other]) await writeSome(journal, 0, 3)
    const first = startArchiver(one.journal, one.directory)
    await first.caughtUp()
    await first.stop()
    await rename(join(one.directory, 'archive'), join(other.directory, 'archive'))
    const second = startArchiver(other.journal, other.directory)
    await until('it is told', () => second.archiver.fault !== undefined)
    await second.stop()
    expect(second.archiver.fault).toMatch(/^other_journal: .* is the archive of journal .*, not /)
  })
})
