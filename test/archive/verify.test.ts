import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Archive } from '../../archive/archive.ts'
import type { ChainEntry } from '../../archive/chain-entry.ts'
import { merge } from '../../archive/compaction.ts'
import { DirectoryStore } from '../../archive/directory.ts'
import { ArchiveError } from '../../archive/errors.ts'
import type { ObjectStore } from '../../archive/objects.ts'
import { OpenSegment } from '../../archive/open-segment.ts'
import { packRecords } from '../../archive/packed-records.ts'
import { readArchive } from '../../archive/read.ts'
import { sealedFile } from '../../archive/sealed-file.ts'
import { SegmentWriter } from '../../archive/segment.ts'
import { verifyArchive } from '../../archive/verify.ts'
import { temporaryDirectory } from '../support/journal.ts'
import { randomFrom } from '../support/random.ts'
import { tick } from './support/records.ts'

/** Archives ticks in segments of these offsets, and returns every file of the archive. */
async function archiveOf(...cuts: readonly number[]) {
  const directory = await temporaryDirectory()
  const store = new DirectoryStore(directory)
  const archive = await Archive.openFor(store, { id: 'J', generations: [] }, 0)
  let last: ChainEntry | undefined
  const entries: ChainEntry[] = []
  for (const to of cuts) {
    const segment = OpenSegment.after(archive, 'ticks', 1, last, 0)
    const records = Array.from({ length: to - segment.from }, (_, i) => tick(segment.from + i))
    await segment.add(packRecords(records), to)
    last = await segment.seal(archive, Date.UTC(2026, 0, 1))
    entries.push(last)
  }
  const files: { name: string; bytes: number }[] = []
  for await (const { name, bytes } of store.list('')) files.push({ name, bytes })
  return { archive, store, directory, entries, files }
}

async function faultsOf(store: ObjectStore): Promise<ArchiveError[]> {
  const faults: ArchiveError[] = []
  try {
    await verifyArchive(await Archive.open(store), (fault) => faults.push(fault))
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error
    faults.push(error)
  }
  return faults
}

/** The store as it would be if one bit of an object were another. */
function withFlippedBit(store: ObjectStore, name: string, bit: number): ObjectStore {
  const flipped: Pick<ObjectStore, 'get'> = {
    get: async (wanted, range) => {
      const bytes = await store.get(wanted, range)
      if (!bytes || wanted !== name) return bytes
      const copy = Uint8Array.from(bytes)
      copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      return copy
    },
  }
  return new Proxy(store, {
    get: (target, member) => {
      // Casts: the proxy passes every other member on as it is.
      const found = member === 'get' ? flipped.get : (target[member as keyof ObjectStore] as unknown)
      return typeof found === 'function' ? found.bind(target) : found
    },
  })
}

describe('a check of an archive', () => {
  it('finds nothing in a whole one, and counts it', async () => {
    const { archive, entries } = await archiveOf(3, 9, 10)
    const checked: { records: number; bytes: number }[] = []
    await verifyArchive(
      archive,
      (fault) => expect.fail(fault.message),
      (entry) => checked.push(entry),
    )
    expect(checked.map(({ records, bytes }) => [records, bytes])).toEqual(
      entries.map(({ count, bytes }) => [count, bytes]),
    )
    expect(checked.map(({ records }) => records)).toEqual([3, 6, 1])
  })
  it('counts the records of an entry that a compaction has replaced once', async () => {
    const { archive, entries } = await archiveOf(3, 9)
    await merge(archive, entries, Date.now())
    let records = 0
    await verifyArchive(
      archive,
      (fault) => expect.fail(fault.message),
      (checked) => {
        records += checked.records
      },
    )
    expect(records).toBe(9)
  })
  it('finds each of 1,000 flipped bits, and names its file', async () => {
    const { store, files } = await archiveOf(3, 9)
    expect(files).toHaveLength(5)
    const random = randomFrom(15)
    for (let i = 0; i < 1_000; i++) {
      const file = files[i % files.length]
      if (!file) throw new Error('no file')
      const bit = Math.floor(random() * file.bytes * 8)
      const faults = await faultsOf(withFlippedBit(store, file.name, bit))
      expect(
        faults.map((fault) => fault.file),
        `${file.name} bit ${bit}`,
      ).toContain(file.name)
    }
  })
  it('finds a missing file', async () => {
    const { store, directory, files, entries } = await archiveOf(3, 9, 12)
    const data = files.find(({ name }) => name.includes(String(entries[1]?.file)))?.name ?? ''
    await rm(join(directory, data))
    expect((await faultsOf(store)).map(({ message }) => message)).toEqual([
      `damaged: ${data}: is missing, and chain/ticks/1/000000000000003-000000000000009.json names it`,
    ])
  })
  it('finds a missing entry', async () => {
    const { store, directory } = await archiveOf(3, 9, 12)
    await rm(join(directory, 'chain/ticks/1/000000000000003-000000000000009.json'))
    const [fault, ...more] = await faultsOf(store)
    expect(more).toEqual([])
    expect(fault?.message).toContain('does not join the chain')
    expect(fault?.message).toContain('an entry is missing')
  })
  it('finds nothing where entries are deleted because they are old, while it reads', async () => {
    const { directory } = await archiveOf(3, 9, 12, 15)
    const names = ['000000000000000-000000000000003', '000000000000003-000000000000009']
    class Expiring extends DirectoryStore {
      override async get(name: string, range?: Parameters<DirectoryStore['get']>[1]) {
        const bytes = await super.get(name, range)
        if (name.includes(names[0] ?? '')) for (const old of names) await super.delete(`chain/ticks/1/${old}.json`)
        return bytes
      }
    }
    expect(await faultsOf(new Expiring(directory))).toEqual([])
  })
  it('finds an entry that is listed and can never be read', async () => {
    const { directory } = await archiveOf(3, 9)
    const name = 'chain/ticks/1/000000000000003-000000000000009.json'
    class WithoutEntry extends DirectoryStore {
      override async get(wanted: string, range?: Parameters<DirectoryStore['get']>[1]) {
        return wanted === name ? undefined : super.get(wanted, range)
      }
    }
    const [fault] = await faultsOf(new WithoutEntry(directory))
    expect(fault?.message).toBe(`damaged: ${name}: is listed, but cannot be read`)
  })
  it('finds an entry of another history', async () => {
    const { archive, store } = await archiveOf(3, 9)
    const forged = new OpenSegment('ticks', 1, 9, 'ab'.repeat(32))
    await forged.add(packRecords([tick(10)]), 11)
    await forged.seal(archive, 0)
    const faults = await faultsOf(store)
    expect(faults.map(({ message }) => message)).toEqual([
      expect.stringContaining(`has the digest ${'ab'.repeat(32)} at offset 9`),
    ])
  })
  it('reads nothing that is not what was archived', async () => {
    const { store, files, entries } = await archiveOf(3, 9)
    const data = files.find(({ name }) => name.includes(String(entries[1]?.file)))?.name ?? ''
    const archive = await Archive.open(withFlippedBit(store, data, 999))
    const offsets: number[] = []
    const read = async () => {
      for await (const { records } of readArchive(archive, 'ticks', 1, 0))
        offsets.push(...records.map(({ offset }) => offset))
    }
    await expect(read()).rejects.toThrow(`damaged: ${data}`)
    expect(offsets).toEqual([0, 1, 2])
  })
})

describe('an archive', () => {
  it('is that of one journal', async () => {
    const { store } = await archiveOf(3)
    await expect(Archive.openFor(store, { id: 'K', generations: [] }, 0)).rejects.toThrow(
      'is the archive of journal J, not K',
    )
    expect((await Archive.openFor(store, { id: 'J', generations: [] }, 1)).journal).toBe('J')
  })
  it('is not created by a reader', async () => {
    const store = new DirectoryStore(join(await temporaryDirectory(), 'nothing'))
    await expect(Archive.open(store)).rejects.toThrow('no_archive')
  })
  it('says so if an entry is listed and can never be read', async () => {
    const { directory } = await archiveOf(3)
    class WithoutEntries extends DirectoryStore {
      override async get(name: string) {
        return name.startsWith('chain/') ? undefined : super.get(name)
      }
    }
    const archive = await Archive.open(new WithoutEntries(directory))
    await expect(archive.chain('ticks', 1)).rejects.toThrow(
      'damaged: chain/ticks/1/000000000000000-000000000000003.json: is listed, but cannot be read',
    )
  })
  it('has one entry for a range: a second writer is refused', async () => {
    const { archive, entries } = await archiveOf(3)
    const again = new OpenSegment('ticks', 1, 0, String(entries[0]?.before))
    await again.add(packRecords([tick(0)]), 3)
    await expect(again.seal(archive, 0)).rejects.toThrow('another writer has archived other records at these offsets')
  })
  it('keeps the entry of another release that has written the same records in other bytes', async () => {
    const { archive, entries } = await archiveOf(3)
    const [first] = entries
    class FormerWriter extends SegmentWriter {
      override finish(): Uint8Array {
        const file = Buffer.from(super.finish())
        file.write('archive 1', file.lastIndexOf('archive '), 'latin1')
        return file
      }
    }
    const again = new OpenSegment('ticks', 1, 0, String(first?.before), (topic, partition) => {
      const writer = new FormerWriter(topic, partition)
      return { bytes: 0, add: (records) => writer.add(records), seal: (unfiled) => sealedFile(writer, unfiled) }
    })
    await again.add(packRecords([tick(0), tick(1), tick(2)]), 3)
    expect(await again.seal(archive, 0)).toEqual(first)
  })
})
