import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Archive } from '../../archive/archive.ts'
import { ownChain } from '../../archive/archive-partition.ts'
import { proveCut, readCut } from '../../archive/cut.ts'
import { DirectoryStore } from '../../archive/directory.ts'
import { ArchiveError } from '../../archive/errors.ts'
import { verifyArchive } from '../../archive/verify.ts'
import { openCopySource } from '../../journal/embedded/copy-source.ts'
import { openEmbeddedJournal } from '../../journal/embedded/journal.ts'
import { openEmbeddedTestJournal } from '../support/embedded-journal.ts'
import { temporaryDirectory, until } from '../support/journal.ts'
import { randomFrom } from '../support/random.ts'
import { AT, releaseDrafts, startArchiver, tickDrafts } from './support/archived-journal.ts'
import {
  backUpTo,
  contentOf,
  embeddedTarget,
  expectBranch,
  expectMoments,
  restoreFrom,
  writeAsService,
} from './support/backed-up.ts'

/** Flipped bits; ALMANAC_TEST_FLIPS=1000 for a long run. */
const FLIPS = Number(process.env.ALMANAC_TEST_FLIPS ?? 40)

const filesOf = async (directory: string) => {
  const files = new Map<string, number>()
  for await (const { name, bytes } of new DirectoryStore(directory).list('')) files.set(name, bytes)
  return files
}

async function backedUp(count = 20) {
  const [world, backup] = [await openEmbeddedTestJournal(), await temporaryDirectory()]
  const claim = await world.journal.claim('worker')
  await writeAsService(world.journal, claim, 0, count)
  await backUpTo(backup, world.journal)
  return { ...world, backup, claim }
}

async function restored(backup: string) {
  const directory = await temporaryDirectory()
  expect(await restoreFrom(backup, embeddedTarget(directory))).toBe(true)
  return openEmbeddedTestJournal(undefined, directory)
}

describe('a restored backup', () => {
  it('is the same journal: id, offsets, holes, log starts, claims and positions', async () => {
    const { journal, backup, claim } = await backedUp()
    const day = 86_400_000
    await journal.append('ticks', 0, tickDrafts(40 * day, 3))
    await journal.retain(AT + 40 * day)
    expect((await journal.bounds('ticks', 0)).start).toBeGreaterThan(0)
    await writeAsService(journal, claim, 20, 5)
    await backUpTo(backup, journal)
    const again = await restored(backup)
    const content = await contentOf(journal)
    expect(await contentOf(again.journal)).toEqual(content)
    expect(content.claims).toContainEqual({ name: 'worker', epoch: 1, positions: { 'ticks/1': 25 } })
    expect((await again.journal.claim('worker')).epoch).toBe(2)
  })
  it('is a generation of its own, and so is each restored from it in turn', async () => {
    const { journal, backup, claim } = await backedUp()
    const { bounds } = await journal.cut({})
    const ends = Object.fromEntries(Object.entries(bounds).map(([partition, { end }]) => [partition, end]))
    const [once, twice] = [await restored(backup), await restored(backup)]
    await writeAsService(journal, claim, 20, 5)
    await writeAsService(once.journal, await once.journal.claim('worker'), 20, 12)
    expectBranch(journal, once.journal, 21, 26)
    expectBranch(journal, twice.journal, 21, 26)
    expect(once.journal.generations).toHaveLength(1)
    const later = await temporaryDirectory()
    await backUpTo(later, once.journal)
    const third = await restored(later)
    expect(third.journal.generations.map(({ branch }) => branch.event)).toEqual([21, 33])
    expect(third.journal.generations[0]).toEqual(once.journal.generations[0])
    expectBranch(journal, third.journal, 21, 26)
    expect(once.journal.generations[0]?.branch.ends).toEqual(ends)
    await once.journal.close()
    const reopened = await openEmbeddedTestJournal(undefined, once.directory)
    expect(reopened.journal.generations).toEqual(third.journal.generations.slice(0, 1))
    // A copy of it to Kafka stays in that generation.
    const source = await openCopySource(join(once.directory, 'journal'))
    expect(source.side.generations).toEqual(reopened.journal.generations)
    await source.close()
  })
  it('goes on with no archive that has records from after the backup, even if none of its newest differs', async () => {
    const { journal, backup, claim, directory } = await backedUp()
    const early = await temporaryDirectory()
    await backUpTo(early, journal)
    await writeAsService(journal, claim, 20, 2)
    const running = startArchiver(journal, directory)
    await running.caughtUp()
    await running.stop()
    const once = await restored(backup)
    await writeAsService(once.journal, await once.journal.claim('worker'), 20, 12)
    // Compaction has removed the records at the places where both histories differ.
    const store = new DirectoryStore(join(directory, 'archive'))
    const job = {
      journal: once.journal,
      archive: await Archive.openFor(store, once.journal, AT),
      ...({ topic: 'sessions', partition: 0, now: Date.now, signal: new AbortController().signal } as const),
      onGap: () => undefined,
    }
    const refused = { code: 'other_history', message: expect.stringContaining('of another history of this journal') }
    await expect(ownChain(job)).rejects.toMatchObject(refused)
    const again = startArchiver(once.journal, directory)
    await until('the archiver tells', () => again.failures.length > 0)
    await again.stop()
    expect(again.failures[0]).toMatchObject(refused)

    // One that ends at the backup goes on. Its entries name the generation of their ends.
    await backUpTo(early, once.journal)
    const chain = await (await Archive.open(new DirectoryStore(early))).chain('events', 0)
    const { id } = once.journal.generations[0] ?? expect.fail('no generation')
    expect(chain.map(({ generation }) => generation)).toEqual([undefined, id])
    const third = await restored(early)
    expect(await contentOf(third.journal)).toEqual(await contentOf(once.journal))
  })
  it('leaves the archive of the original as it is, also where that has gone on in other topics alone', async () => {
    const { journal, backup } = await backedUp()
    const early = await temporaryDirectory()
    await cp(backup, early, { recursive: true })
    await journal.append('ticks', 1, tickDrafts(20, 5))
    await backUpTo(backup, journal)
    const before = await filesOf(backup)
    const branch = await restored(early)
    await branch.journal.append('releases', 0, releaseDrafts(20, 5))
    await expect(backUpTo(backup, branch.journal)).rejects.toMatchObject({ code: 'other_history' })
    expect(await filesOf(backup)).toEqual(before)
    const running = startArchiver(branch.journal, backup, { store: new DirectoryStore(backup) })
    await until('the archiver tells', () => running.failures.length > 0)
    await running.stop()
    expect(running.failures[0]).toMatchObject({ code: 'other_history' })
    expect(await filesOf(backup)).toEqual(before)
  })
  it('goes on as the original would', async () => {
    const { journal, backup, claim } = await backedUp()
    const again = await restored(backup)
    await claim.release()
    await writeAsService(journal, await journal.claim('worker'), 20, 5)
    await writeAsService(again.journal, await again.journal.claim('worker'), 20, 5)
    expect(await contentOf(again.journal)).toEqual(await contentOf(journal))
    // The chain of the backup is also that of the restored journal.
    await backUpTo(backup, again.journal)
    expect(await contentOf((await restored(backup)).journal)).toEqual(await contentOf(journal))
  })
  it('is a consistent moment, however much is written meanwhile', async () => {
    const { journal, backup, claim } = await backedUp(3)
    await expectMoments(backup, journal, claim, { from: 3, backups: 5 })
  })
})

describe('a backup', () => {
  it('adds only what is new', async () => {
    const { journal, backup, claim } = await backedUp()
    const before = await filesOf(backup)
    await backUpTo(backup, journal)
    expect([...(await filesOf(backup)).keys()]).toEqual([...before.keys()])
    await journal.transact(claim, [journal.writeOf('ticks', 3, tickDrafts(900, 2))])
    await backUpTo(backup, journal)
    const added = [...(await filesOf(backup)).keys()].filter((name) => !before.has(name))
    expect(added).toHaveLength(2)
    expect(added).toContainEqual(expect.stringContaining('chain/ticks/3/'))
  })
  it('is that of its last finished run, though the archive goes on', async () => {
    const { journal, backup, claim } = await backedUp()
    const content = await contentOf(journal)
    const cut = await readFile(join(backup, 'cut.json'))
    for (let n = 20; n < 32; n++) {
      await writeAsService(journal, claim, n, 1)
      await backUpTo(backup, journal)
    }
    // As a run leaves it that is killed before it writes the cut. Segments were merged across the earlier one.
    await writeFile(join(backup, 'cut.json'), cut)
    const again = await restored(backup)
    expect((await contentOf(again.journal)).partitions).toEqual(content.partitions)
  })
  it('is not continued if its first entries are missing, which the journal still has', async () => {
    const { journal, backup, claim } = await backedUp()
    await writeAsService(journal, claim, 20, 5)
    await backUpTo(backup, journal)
    const entries = [...(await filesOf(backup)).keys()].filter((name) => name.startsWith('chain/')).sort()
    const [partition = '', [first, ...more] = []] =
      [...Map.groupBy(entries, (name) => name.split('/').slice(0, 3).join('/'))].find(([, { length }]) => length > 1) ??
      []
    expect(partition).not.toBe('')
    await rm(join(backup, first ?? ''))
    await expect(backUpTo(backup, journal)).rejects.toMatchObject({ code: 'damaged', file: more[0] })
  })
  it('refuses the directory of another journal, and one that is ahead of the journal', async () => {
    const [one, other] = [await backedUp(), await backedUp()]
    await expect(backUpTo(one.backup, other.journal)).rejects.toMatchObject({ code: 'other_journal' })
    const older = await restored(one.backup)
    await writeAsService(one.journal, one.claim, 20, 2)
    await backUpTo(one.backup, one.journal)
    await expect(backUpTo(one.backup, older.journal)).rejects.toMatchObject({ code: 'other_history' })
  })
})

describe('a restore', () => {
  it('refuses a journal that is there, and says when it has been done', async () => {
    const [one, other] = [await backedUp(), await openEmbeddedTestJournal()]
    await expect(restoreFrom(one.backup, embeddedTarget(other.directory))).rejects.toThrow(
      `the target already holds another journal, ${other.journal.id}`,
    )
    await expect(restoreFrom(one.backup, embeddedTarget(one.directory))).rejects.toThrow(
      'from a copy that the source has no record of',
    )
    const again = await restored(one.backup)
    expect(await restoreFrom(one.backup, embeddedTarget(again.directory))).toBe(false)
    await expect(restoreFrom(await temporaryDirectory(), embeddedTarget('/none'))).rejects.toMatchObject({
      code: 'no_archive',
    })
  })
  it('goes on where the target’s retention has deleted what was copied, as Kafka does with old records', async () => {
    const { journal, backup } = await backedUp()
    const directory = await temporaryDirectory()
    const open = embeddedTarget(directory)
    await restoreFrom(backup, async (request) => {
      const target = await open(request)
      const write = target.write.bind(target)
      return Object.assign(target, {
        async write(...[address, at, records, to]: Parameters<typeof write>) {
          await write(address, at, records, to)
          if (address.topic.endsWith('ticks')) await target.cut(address, to - 1)
        },
      })
    })
    const again = await openEmbeddedTestJournal(undefined, directory)
    const { start, end } = await again.journal.bounds('ticks', 0)
    expect({ start, end }).toEqual({ start: end - 1, end: (await journal.bounds('ticks', 0)).end })
  })
  it('that is unfinished cannot be opened, and is continued only with the same backup', async () => {
    const { journal, backup, claim } = await backedUp()
    const directory = await temporaryDirectory()
    const interrupted = AbortSignal.abort(new Error('killed'))
    await expect(restoreFrom(backup, embeddedTarget(directory), { signal: interrupted })).rejects.toThrow('killed')
    await expect(openEmbeddedJournal({ dir: join(directory, 'journal') })).rejects.toMatchObject({
      code: 'unfinished_copy',
    })
    const cut = await readFile(join(backup, 'cut.json'))
    await writeAsService(journal, claim, 20, 2)
    await backUpTo(backup, journal)
    await expect(restoreFrom(backup, embeddedTarget(directory))).rejects.toThrow('no record of')
    await writeFile(join(backup, 'cut.json'), cut)
    expect(await restoreFrom(backup, embeddedTarget(directory))).toBe(true)
    await (await openEmbeddedJournal({ dir: join(directory, 'journal') })).close()
  })
  it(`refuses every flipped bit with its file (${FLIPS})`, async () => {
    const { backup, journal } = await backedUp()
    await journal.close()
    const files = [...(await filesOf(backup))]
    const total = files.reduce((sum, [, bytes]) => sum + bytes, 0)
    const random = randomFrom(7)
    for (let flip = 0; flip < FLIPS; flip++) {
      // Half of them hit any byte, and half any file, because most bytes are in few of them.
      let at = Math.floor(random() * total)
      const byByte = files.find(([, bytes]) => {
        at -= bytes
        return at < 0
      })
      const [name, bytes] = (flip % 2 ? byByte : files[Math.floor(random() * files.length)]) as [string, number]
      const path = join(backup, name)
      const whole = await readFile(path)
      const damaged = Buffer.from(whole)
      const bit = Math.floor(random() * bytes * 8)
      damaged[bit >> 3] = (damaged[bit >> 3] as number) ^ (1 << (bit & 7))
      await writeFile(path, damaged)
      const directory = await temporaryDirectory()
      const fault = await restoreFrom(backup, embeddedTarget(directory)).catch((error) => error)
      expect(fault, `bit ${bit} of ${name}`).toBeInstanceOf(ArchiveError)
      expect(fault.message).toContain(name)
      expect(await faultOfVerify(backup)).toContain(name)
      await writeFile(path, whole)
      await rm(directory, { recursive: true, force: true })
    }
    await restored(backup)
  })
  it('refuses a backup that lacks a file, or has one of another journal', async () => {
    const [one, other] = [await backedUp(), await backedUp(21)]
    const entry = [...(await filesOf(one.backup)).keys()].find((name) => name.startsWith('chain/events/0/')) as string
    const foreign = [...(await filesOf(other.backup)).keys()].find((name) =>
      name.startsWith('chain/events/0/'),
    ) as string
    const whole = await readFile(join(one.backup, entry))
    await rm(join(one.backup, entry))
    const intoNew = async () => restoreFrom(one.backup, embeddedTarget(await temporaryDirectory()))
    await expect(intoNew()).rejects.toThrow('damaged: chain/events/0/: an entry is missing')
    const { file } = JSON.parse(await readFile(join(other.backup, foreign), 'utf8'))
    for (const name of [foreign, `data/events/${file}.parquet`])
      await writeFile(join(one.backup, name), await readFile(join(other.backup, name)))
    await expect(intoNew()).rejects.toThrow(/^damaged: chain\/events\/0\/: events\/0 has the digest .* at offset/)
    await rm(join(one.backup, foreign))
    await writeFile(join(one.backup, entry), whole)
    await writeFile(join(one.backup, 'cut.json'), await readFile(join(other.backup, 'cut.json')))
    await expect(intoNew()).rejects.toMatchObject({ code: 'other_journal' })
  })
})

async function faultOfVerify(backup: string): Promise<string> {
  try {
    const archive = await Archive.open(new DirectoryStore(backup))
    const cut = await readCut(archive)
    const faults: string[] = []
    await verifyArchive(archive, ({ message }) => faults.push(message))
    if (faults.length === 0) await proveCut(archive, cut)
    return faults.join('\n')
  } catch (error) {
    return error instanceof ArchiveError ? error.message : `not found: ${error}`
  }
}
