import type { EventValue, Line, ReleaseValue, SignalValue } from '../journal-lines.ts'
import { firstDifference, firstDifferenceInList } from './differences.ts'
import { judgeOffsets } from './releases.ts'

/**
 * Compares the topic `events` with what causes events: one for each signal and each release that changes a current
 * figure, in their order, with sequences from 1 without a gap.
 */
export function judgeEvents(
  events: readonly Line<EventValue>[],
  releases: readonly Line<ReleaseValue>[],
  signals: readonly Line<SignalValue>[],
): string[] {
  const causes = events.map(({ headers }) => headers.cause ?? '')
  const at = events.findIndex(({ value }, i) => value.sequence !== i + 1)
  return [
    ...judgeOffsets(events),
    ...(at < 0 ? [] : [`events: place ${at + 1} has the sequence ${events[at]?.value.sequence}`]),
    ...(new Set(events.map(({ value }) => value.id)).size === events.length ? [] : ['an event id occurs twice']),
    ...judgeCauses('releases', releases.filter(changesFigure), causes),
    ...judgeCauses('signals', signals, causes),
    ...judgeContents(events, releases),
  ]
}

/** The journal carries the cause of an event in a header, as topic/partition/offset. */
const causeOf = ({ topic, partition, offset }: Line<unknown>): string => `${topic}/${partition}/${offset}`

function judgeCauses(topic: string, causing: readonly Line<unknown>[], causes: readonly string[]): string[] {
  const found = causes.filter((cause) => cause.startsWith(`${topic}/`))
  return firstDifferenceInList(`events of ${topic}`, causing.map(causeOf), found)
}

/** A late print and a corrected date are history only. */
const changesFigure = ({ value }: Line<ReleaseValue>): boolean => !value.late && value.redates === null

/** An event of a release carries its figures, and says whether it is a first print, a revision or a withdrawal. */
function judgeContents(events: readonly Line<EventValue>[], releases: readonly Line<ReleaseValue>[]): string[] {
  const released = new Map(releases.map((line) => [causeOf(line), line.value]))
  const byId = new Map(releases.map(({ value }) => [value.release_id, value]))
  for (const { headers, value } of events) {
    const release = released.get(headers.cause ?? '')
    if (!release) continue
    const data = JSON.parse(value.data) as Readonly<Record<string, unknown>>
    const wrong = Object.entries(release.figures).find(([name, figure]) => data[name] !== figure)
    const hasFigures = (one: ReleaseValue | undefined) => Object.keys(one?.figures ?? {}).length > 0
    // A figure that comes back after it was withdrawn is published again.
    const kind = !hasFigures(release)
      ? 'withdrawn'
      : hasFigures(byId.get(release.revises ?? ''))
        ? 'revised'
        : 'published'
    if (wrong || value.type !== `economics.release.${kind}`)
      return [`event ${value.sequence} does not say what release ${headers.cause} does`]
  }
  return []
}

/** An event as a client got it, over the stream or REST. */
export type ReceivedEvent = {
  readonly sequence: number
  readonly id: string
  readonly subject: string
  readonly data: unknown
}

/** Compares what a client received, which began at `from` (0: the first event), with the journal. */
export function judgeReceived(
  who: string,
  received: readonly ReceivedEvent[],
  events: readonly Line<EventValue>[],
  from = 0,
): string[] {
  const expected = new Map(
    events
      .slice(from)
      .map(({ value }) => [
        String(value.sequence),
        { id: value.id, subject: value.subject, data: JSON.parse(value.data) },
      ]),
  )
  const outOfOrder = received.findIndex(({ sequence }, i) => sequence !== from + i + 1)
  return [
    ...(outOfOrder < 0
      ? []
      : [`${who}: event ${received[outOfOrder]?.sequence} came where ${from + outOfOrder + 1} was due`]),
    ...firstDifference(
      who,
      expected,
      new Map(received.map(({ sequence, id, subject, data }) => [String(sequence), { id, subject, data }])),
    ),
  ]
}
