import type { Journal, NewRecord, Write } from '../../journal/journal.ts'
import { inFormerVersion } from './published-schemas.ts'

/**
 * The journal of a node that still runs the release before this one, during a rolling upgrade: it writes records in the version
 * before the newest, if they lose nothing by it. `written` is called with the number of these records.
 */
export function inFormerRelease(
  journal: Journal,
  topicOf: (write: Write) => string,
  written: (n: number) => void,
): Journal {
  const former = (write: Write): Write => {
    let count = 0
    const records = write.records.map((record): NewRecord => {
      const value = inFormerVersion(topicOf(write), record.value)
      if (value) count++
      return value ? { ...record, value } : record
    })
    written(count)
    return { ...write, records }
  }
  return {
    id: journal.id,
    generations: journal.generations,
    ensureTopics: (...topics) => journal.ensureTopics(...topics),
    append: (write) => journal.append(former(write)),
    transact: (claim, writes, positions) => journal.transact(claim, writes.map(former), positions),
    read: (...place) => journal.read(...place),
    readValues: (...place) => journal.readValues(...place),
    follow: (...place) => journal.follow(...place),
    bounds: (address) => journal.bounds(address),
    offsetForTime: (...place) => journal.offsetForTime(...place),
    cut: (partitions) => journal.cut(partitions),
    claim: (...name) => journal.claim(...name),
    retain: (now) => journal.retain(now),
    close: () => journal.close(),
  }
}
