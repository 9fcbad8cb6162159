import type { WrittenRecord } from '../evidence.ts'
import { figuresText, type Judge, placeOf, recordsOfTopic, seriesId } from './judge.ts'

type ExpectedEvent = { readonly cause: string; readonly type: string; readonly subject: string }

/**
 * The events that releases lead to: one for each that changes the current figure of its series and period. The world has one
 * series for each country and indicator, so that every series is served.
 */
function eventsOfReleases(releases: readonly WrittenRecord[]): ExpectedEvent[] {
  const current = new Map<string, string>()
  return releases.flatMap((record) => {
    const { value } = record
    if (value.late === true) return []
    // Cast: the published schema of releases.
    const series = value.series as { country: string; indicator: string }
    const figures = figuresText(value)
    const place = `${seriesId(value)} ${value.period}`
    const before = current.get(place) ?? ''
    current.set(place, figures)
    if (figures === before) return []
    const kind = figures === '' ? 'withdrawn' : before === '' ? 'published' : 'revised'
    const subject = `${series.country}/${series.indicator}/${value.period}`
    return { cause: placeOf(record), type: `economics.release.${kind}`, subject }
  })
}

/** Each release that changes an answer, and each signal, has one event. Sequences are dense, in the order of offsets. */
export const judgeEvents: Judge = (evidence, isQuiet) => {
  const complaints: string[] = []
  const signals = recordsOfTopic(evidence, 'signals').map((record) => ({
    cause: placeOf(record),
    type: String(record.value.type),
    subject: String(record.value.subject),
  }))
  const expected = [...eventsOfReleases(recordsOfTopic(evidence, 'releases')), ...signals]
  const missing = new Map(expected.map((event) => [event.cause, event]))
  const lastCause = new Map<string, number>()
  for (const [i, { headers, value }] of recordsOfTopic(evidence, 'events').entries()) {
    if (value.sequence !== i + 1) complaints.push(`event ${i + 1} of the log has sequence ${value.sequence}`)
    const cause = headers.cause ?? ''
    const event = missing.get(cause)
    if (!event) complaints.push(`event ${value.sequence} follows from ${cause}, which has one already or makes none`)
    else if (event.type !== value.type || event.subject !== value.subject)
      complaints.push(
        `event ${value.sequence} is ${value.type} of ${value.subject}, not ${event.type} of ${event.subject}`,
      )
    missing.delete(cause)
    const [topic = '', , offset] = cause.split('/')
    if (Number(offset) <= (lastCause.get(topic) ?? -1))
      complaints.push(`event ${value.sequence} is out of order: ${cause}`)
    lastCause.set(topic, Number(offset))
  }
  if (isQuiet) for (const cause of missing.keys()) complaints.push(`${cause} has no event`)
  return complaints
}
