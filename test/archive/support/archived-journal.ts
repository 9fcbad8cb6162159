import { join } from 'node:path'
import { expect } from 'vitest'
import { Archive } from '../../../archive/archive.ts'
import { Archiver } from '../../../archive/archiver.ts'
import { boundsOf } from '../../../archive/chain.ts'
import { DirectoryStore } from '../../../archive/directory.ts'
import { encodeHere } from '../../../archive/open-segment.ts'
import { readArchive } from '../../../archive/read.ts'
import { verifyArchive } from '../../../archive/verify.ts'
import { type Topic, topicNames, topics } from '../../../contracts/topics.ts'
import type { PortableRecord } from '../../../journal/portable-records.ts'
import type { Draft, TypedJournal } from '../../../journal/typed.ts'
import { until } from '../../support/journal.ts'
import { eventNumber, rejectedNumber, releaseNumber } from '../../support/journal-records.ts'
import { plainRecord } from './records.ts'

export const AT = Date.UTC(2026, 0, 1)

const draft = <T extends Topic>(value: Draft<T>['value'], n: number): Draft<T> => ({ value, id: `id_${n}`, at: AT + n })

/** Ticks from number `from` on, for any partition. */
export const tickDrafts = (from: number, count: number): Draft<'ticks'>[] =>
  Array.from({ length: count }, (_, i) => {
    const n = from + i
    const at = new Date(AT + n).toISOString()
    const value = {
      kind: 'price',
      symbol: 'XAU-USD',
      source: 'TEST',
      price: `${n}.25`,
      observed_at: at,
      recorded_at: at,
      url: '',
    }
    return draft<'ticks'>({ ...value, kind: 'price' }, n)
  })

export const releaseDrafts = (from: number, count: number): Draft<'releases'>[] =>
  Array.from({ length: count }, (_, i) => draft<'releases'>(releaseNumber(from + i), from + i))

/** Writes some records of several kinds. */
export async function writeSome(journal: TypedJournal, from: number, count: number): Promise<void> {
  await journal.append('ticks', from % topics.ticks.partitions, tickDrafts(from, count))
  await journal.append('releases', 0, releaseDrafts(from, count))
  await journal.append(
    'events',
    0,
    Array.from({ length: count }, (_, i) => draft<'events'>(eventNumber(from + i), from + i)),
  )
  await journal.append('quarantine', 0, [draft<'quarantine'>(rejectedNumber(from), from)])
}

/** Runs an archiver until `stop` is called, with no waiting for more records by default. */
export function startArchiver(
  journal: TypedJournal,
  directory: string,
  options: Partial<ConstructorParameters<typeof Archiver>[0]> = {},
) {
  const ended = new AbortController()
  const failures: unknown[] = []
  const gaps: { from: number; to: number }[] = []
  const archiver = new Archiver({
    journal,
    store: new DirectoryStore(join(directory, 'archive')),
    sealMs: 1,
    retentionMs: null,
    // A thread for each of the many archivers of these tests would take most of their time.
    newEncoder: encodeHere,
    onRetry: (error) => failures.push(error),
    onGap: ({ from, to }) => gaps.push({ from, to }),
    ...options,
  })
  const done = archiver.run(ended.signal)
  const stop = async () => {
    ended.abort()
    await done
  }
  const caughtUp = () =>
    until('the archive has everything', async () => {
      const lags = await archiver.lags()
      return lags.length === places.length && lags.every(({ offsets }) => offsets === 0)
    })
  return { archiver, failures, gaps, stop, caughtUp }
}

export const openArchive = (directory: string) => Archive.open(new DirectoryStore(join(directory, 'archive')))

export const places = topicNames.flatMap((topic) =>
  Array.from({ length: topics[topic].partitions }, (_, partition) => ({ topic, partition })),
)

/** Expects the archive to be whole, and its records to be the journal's. Returns how many there are. */
export async function expectSameRecords(journal: TypedJournal, directory: string): Promise<number> {
  const archive = await openArchive(directory)
  await verifyArchive(archive, (fault) => expect.fail(fault.message))
  let count = 0
  for (const { topic, partition } of places) {
    const bounds = boundsOf(await archive.chain(topic, partition))
    const archived: PortableRecord[] = []
    if (bounds)
      for await (const { records } of readArchive(archive, topic, partition, bounds.start)) archived.push(...records)
    const { start, end } = await journal.bounds(topic, partition)
    const written: PortableRecord[] = []
    for (let at = start; at < end; ) {
      const { records, next } = await journal.readPortable(topic, partition, at)
      written.push(...records)
      at = next
    }
    expect(archived.map(plainRecord), `${topic}/${partition}`).toEqual(written.map(plainRecord))
    count += archived.length
  }
  return count
}
