import { EventPositions } from '../api/event-positions.ts'
import type { ExportedPartition, ExportManifest } from '../archive/export/manifest.ts'
import type { ExportBound, ExportQuestion } from '../archive/export/question.ts'
import { partitionsOf, type Topic } from '../contracts/topics.ts'
import { cursorFaults, judgeEventCursor } from '../domain/cursor.ts'
import { Lineage, type Place } from '../domain/lineage.ts'
import { cursorAt } from '../domain/served-event.ts'
import { partitionKey } from '../journal/journal.ts'
import { readUntil } from '../journal/read-until.ts'
import type { TypedJournal } from '../journal/typed.ts'
import { UsageError } from './command.ts'
import { noSuchOffset } from './offset-or-time.ts'

/** Finds the ranges of a question in the journal as it is now. Throws UsageError for a bound that the journal does not hold. */
export async function newManifest(journal: TypedJournal, question: ExportQuestion): Promise<ExportManifest> {
  const partitions: ExportedPartition[] = []
  for (const topic of question.topics)
    for (const partition of askedPartitions(topic, question)) {
      const { start, end } = await journal.bounds(topic, partition)
      const offsetOf = (bound: ExportBound | null, option: string, otherwise: number) =>
        bound ? offsetAt(journal, topic, partition, bound, option) : otherwise
      const from = await offsetOf(question.from, '--from', start)
      const to = await offsetOf(question.to, '--to', end)
      const available = `${topic}/${partition} holds offsets ${start} to ${end - 1}`
      if (from < start || from > end) throw noSuchOffset('--from', from, available)
      if (to < from) throw new UsageError(`--to lies before --from: offset ${to} before ${from}; ${available}`)
      if (question.to && 'offset' in question.to && to > end) throw noSuchOffset('--to', to, available)
      partitions.push({ topic, partition, from, to: Math.min(to, end), next: from, records: 0, files: [] })
    }
  const events = partitions.find(({ topic }) => topic === 'events')
  const next_event = events ? await cursorOf(journal, events.to) : null
  const name = new Lineage(journal).nameOf(...partitions.map(placeOfEnd))
  return { journal: name, question, complete: false, next_event, partitions }
}

export const placeOfEnd = ({ topic, partition, to }: ExportedPartition): Place => ({
  partition: partitionKey({ topic, partition }),
  offset: to,
})

const askedPartitions = (topic: Topic, { partition }: ExportQuestion): readonly number[] =>
  partition === null ? partitionsOf(topic) : [partition]

async function offsetAt(
  journal: TypedJournal,
  topic: Topic,
  partition: number,
  bound: ExportBound,
  option: string,
): Promise<number> {
  if ('offset' in bound) return bound.offset
  if ('time' in bound) return journal.offsetForTime(topic, partition, Date.parse(bound.time))
  const positions = new EventPositions(journal)
  const ends = await positions.ends()
  const cursor = judgeEventCursor(bound.cursor, {
    lineage: new Lineage(journal),
    first: ends.first.sequence,
    end: ends.next.sequence,
  })
  if ('refused' in cursor) throw new UsageError(`${option} ${bound.cursor}: ${cursorFaults[cursor.refused]}`)
  return (await positions.ofSequence(cursor.sequence, cursor.hint, ends)).offset
}

/** Cursor of the first event at or after an offset, or of the next one to come. */
async function cursorOf(journal: TypedJournal, offset: number): Promise<string> {
  const lineage = new Lineage(journal)
  const { next } = await new EventPositions(journal).ends()
  const read = (at: number) => journal.read('events', 0, at, { maxRecords: 1 })
  for await (const { records } of readUntil(read, offset, next.offset)) {
    const [first] = records
    if (first) return cursorAt(lineage, first.value.sequence)
  }
  return cursorAt(lineage, next.sequence)
}
