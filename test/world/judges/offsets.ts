import { type Judge, placeOf } from './judge.ts'

/** Topics in which a record is there once. Timers and states may be written again. */
const once = new Set(['releases', 'events', 'signals', 'quarantine', 'price_history'])

/** Jepsen's nonmonotonic send, duplicate and inconsistent offsets: offsets grow, no record is there twice, causes come first. */
export const judgeOffsets: Judge = ({ records }) => {
  const complaints: string[] = []
  const ends = new Map<string, number>()
  const seen = new Set<string>()
  const ids = new Map<string, string>()
  for (const record of records) {
    const { topic, partition, offset, headers, value } = record
    const place = placeOf(record)
    const end = ends.get(`${topic}/${partition}`) ?? 0
    if (offset < end) complaints.push(`${place} was written at an offset before ${end}`)
    ends.set(`${topic}/${partition}`, offset + 1)
    seen.add(place)
    if (headers.cause !== undefined && !seen.has(headers.cause))
      complaints.push(`${place} is said to follow from ${headers.cause}, which was not written before it`)
    if (!once.has(topic) && !(topic === 'ticks' && value.kind === 'price')) continue
    const id = `${topic} ${headers['record-id']}`
    const twin = ids.get(id)
    if (twin) complaints.push(`${twin} and ${place} are the same record`)
    ids.set(id, place)
  }
  return complaints
}
