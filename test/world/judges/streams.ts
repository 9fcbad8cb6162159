import { isDeepStrictEqual } from 'node:util'
import type { Evidence, StreamHistory, StreamSpan, WrittenRecord } from '../evidence.ts'
import { type Judge, recordsOfTopic } from './judge.ts'

/**
 * Clients of the events stream: every event that the filter passes, once and in order, from the place on that was asked for
 * (Jepsen's poll skip, nonmonotonic poll, duplicate and unseen). Only retention excuses a gap, and only if the client was told.
 */
export const judgeStreams: Judge = (evidence, isQuiet) => {
  const events = recordsOfTopic(evidence, 'events')
  return evidence.streams.flatMap((stream) => faultsOf(stream, events, evidence, isQuiet))
}

const passes = ({ countries, types }: StreamHistory, { value }: WrittenRecord): boolean =>
  (!countries || countries.includes(String(value.country))) && (!types || types.includes(String(value.type)))

function faultsOf(
  stream: StreamHistory,
  events: readonly WrittenRecord[],
  evidence: Evidence,
  isQuiet: boolean,
): string[] {
  const complaints: string[] = []
  const complain = (text: string) => complaints.push(`${stream.client} ${text}`)
  const matching = events.filter((event) => passes(stream, event))
  const startAt = (time: number) => evidence.eventStarts.findLast(({ at }) => at <= time)?.start ?? 0
  /** Whether an event need not come: it had expired, or was there before a client that wanted the latest. */
  const isExcusedBy = (
    { offset, writtenAt }: WrittenRecord,
    { from, askedAt, confirmedAt }: StreamSpan,
    now: number,
  ) => {
    if (from === 'cursor') return false
    if (from === 'latest') return writtenAt <= (confirmedAt ?? askedAt)
    return offset < startAt(now)
  }
  let next = 0
  /** Spans since the last event: each of them may excuse what is left out before the next one. */
  let open: StreamSpan[] = []
  const isExcused = (event: WrittenRecord, now: number) => open.some((span) => isExcusedBy(event, span, now))
  for (const span of stream.spans) {
    open.push(span)
    for (const event of span.events) {
      const at = matching.findIndex(({ value }) => value.sequence === event.sequence)
      const record = matching[at]
      if (!record) {
        complain(`received event ${event.sequence}, which is not in the journal or not of its filter`)
        continue
      }
      if (at < next) {
        complain(`received event ${event.sequence} after ${matching[next - 1]?.value.sequence}`)
        continue
      }
      for (const skipped of matching.slice(next, at))
        if (!isExcused(skipped, event.receivedAt))
          complain(`received event ${event.sequence} without ${skipped.value.sequence} (from ${span.from})`)
      next = at + 1
      open = []
      for (const member of ['id', 'type', 'family', 'country', 'subject'] as const)
        if (event[member] !== record.value[member])
          complain(`received event ${event.sequence} with ${member} ${event[member]}, not ${record.value[member]}`)
      if (!isDeepStrictEqual(event.data, JSON.parse(String(record.value.data))))
        complain(`received event ${event.sequence} with other data`)
    }
  }
  if (isQuiet)
    for (const event of matching.slice(next))
      if (!isExcused(event, Number.POSITIVE_INFINITY)) complain(`never received event ${event.value.sequence}`)
  return complaints
}
