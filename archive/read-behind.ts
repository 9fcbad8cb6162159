import type { Topic } from '../contracts/topics.ts'
import { Lineage } from '../domain/lineage.ts'
import { isOutOfRange } from '../journal/journal.ts'
import { newestVersion, type PortableRecord, portableAs } from '../journal/portable-records.ts'
import type { TypedJournal } from '../journal/typed.ts'
import type { Archive } from './archive.ts'
import { boundsOf } from './chain.ts'
import { archivedOffsetAt, readArchive } from './read.ts'

/** Records between two offsets of a partition: the batch ends before `next`. */
type Records = { readonly records: readonly PortableRecord[]; readonly next: number }

/**
 * Offset from which a partition can be read without a gap: the journal's start, or an earlier one if the archive joins it.
 * `archive` is undefined if there is none. Throws `other_history` for an archive of another history of the journal.
 */
export async function readableFrom(
  journal: Pick<TypedJournal, 'id' | 'generations'>,
  archive: Archive | undefined,
  topic: Topic,
  partition: number,
  journalStart: number,
): Promise<number> {
  const chain = (await archive?.chain(topic, partition)) ?? []
  const unbroken = chain.slice(chain.findLastIndex(({ gap }) => gap) + 1)
  const bounds = boundsOf(unbroken)
  if (!bounds || bounds.start >= journalStart || bounds.end < journalStart) return journalStart
  archive?.assertInLine(chain, new Lineage(journal))
  return bounds.start
}

/**
 * Offset of the first record that can be read whose time is at or after `time` (UTC ms), the journal's end if there is none.
 * Looks into the archive only where it reaches behind the journal's start.
 */
export async function readableOffsetForTime(
  journal: Pick<TypedJournal, 'id' | 'generations' | 'bounds' | 'offsetForTime'>,
  archive: Archive | undefined,
  topic: Topic,
  partition: number,
  time: number,
): Promise<number> {
  const { start } = await journal.bounds(topic, partition)
  const first = await readableFrom(journal, archive, topic, partition, start)
  const archived = archive && first < start ? await archivedOffsetAt(archive, topic, partition, time) : undefined
  if (archived !== undefined && archived < start) return Math.max(archived, first)
  return journal.offsetForTime(topic, partition, time)
}

/**
 * Yields the records of a partition from `from` to `to`: those that the journal has deleted from the archive, the others from
 * the journal. Retention may delete records meanwhile. Throws what `readArchive` and the journal throw.
 */
export async function* readBehind(
  journal: Pick<TypedJournal, 'readInAvro' | 'bounds'>,
  archive: Archive | undefined,
  topic: Topic,
  partition: number,
  { from, to }: { readonly from: number; readonly to: number },
): AsyncGenerator<Records> {
  const newest = newestVersion(topic)
  let at = from
  while (at < to) {
    const { start } = await journal.bounds(topic, partition)
    const begun = at
    if (archive && at < start) {
      for await (const batch of readArchive(archive, topic, partition, at)) {
        yield batch
        at = batch.next
        if (at >= Math.min(start, to)) break
      }
      if (at > begun) continue
    }
    try {
      while (at < to) {
        const { records, next } = await journal.readInAvro(topic, partition, at)
        yield { records: portableAs(newest, records), next }
        at = next
      }
    } catch (error) {
      // Retention has deleted the records since, so they are in the archive, unless it was asked in vain just now.
      if (!archive || begun < start || !isOutOfRange(error)) throw error
    }
  }
}
