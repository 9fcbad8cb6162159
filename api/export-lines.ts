import { type ExportEnd, exportLimits } from '../contracts/events.ts'
import { ProblemError } from '../contracts/problems.ts'
import type { EventRecord } from '../contracts/records.ts'
import { type EventFilter, passes } from '../domain/event-filter.ts'
import type { Lineage } from '../domain/lineage.ts'
import { cursorAt } from '../domain/served-event.ts'
import { JournalError } from '../journal/journal.ts'
import type { Awaitable, JournalOfEvents } from './deps.ts'
import type { EventPosition } from './event-positions.ts'

/** Events that are read and rendered in one turn of the event loop: a few milliseconds of work. */
const EVENTS_A_TURN = 200
/** After this time without an event an empty line is sent, because proxies cut connections that are silent. */
const SILENCE_MS = 5_000

type ExportOptions = {
  readonly journal: JournalOfEvents
  readonly lineage: Lineage
  readonly from: EventPosition
  /** Offset before which the export ends. */
  readonly to: number
  readonly filter: EventFilter
  /** The text of a served event. */
  readonly lineOf: (event: EventRecord) => string
  /** Charges a further call. Throws the problem if there is none left. */
  readonly charge: () => Awaitable<void>
  /** Told of an error that clients can do nothing about. */
  readonly failed: (error: unknown) => void
  /** Aborts when the service stops. */
  readonly closing: AbortSignal
}

/**
 * The lines of an export, several in each text, and the last line, which says how it ended. A cause that a client can do
 * something about ends it with that line. Any other error is thrown, so that the transfer is cut.
 */
export async function* exportLines(options: ExportOptions): AsyncGenerator<string, void, undefined> {
  const progress = { sequence: options.from.sequence, count: 0 }
  const lastLine = (code?: string): string => {
    const cursor = cursorAt(options.lineage, progress.sequence)
    const end: ExportEnd = { cursor, count: progress.count, complete: code === undefined, ...(code ? { code } : {}) }
    return `${JSON.stringify(end)}\n`
  }
  try {
    yield* eventLines(options, progress)
  } catch (error) {
    const code = codeOf(error)
    if (code === undefined) {
      options.failed(error)
      throw error
    }
    yield lastLine(code)
    return
  }
  yield lastLine()
}

async function* eventLines(
  { journal, from, to, filter, lineOf, charge, closing }: ExportOptions,
  progress: { sequence: number; count: number },
): AsyncGenerator<string, void, undefined> {
  let sentAt = performance.now()
  for (let at = from.offset; at < to; ) {
    if (closing.aborted) throw new ProblemError('unavailable', 'The service is stopping.')
    const { records, next } = await journal.read('events', 0, at, { maxRecords: EVENTS_A_TURN })
    let lines = ''
    for (const { offset, value } of records) {
      if (offset >= to) break
      if (passes(filter, value)) {
        if (progress.count > 0 && progress.count % exportLimits.eventsPerCall === 0) {
          yield lines
          lines = ''
          await charge()
        }
        lines += `${lineOf(value)}\n`
        progress.count++
      }
      progress.sequence = value.sequence + 1
    }
    at = next
    if (lines === '' && performance.now() - sentAt < SILENCE_MS) continue
    yield lines === '' ? '\n' : lines
    sentAt = performance.now()
  }
}

/** The code of the problem that ends an export; undefined for an error of the service itself. */
function codeOf(error: unknown): string | undefined {
  if (error instanceof ProblemError) return error.code
  if (!(error instanceof JournalError)) return undefined
  if (error.code === 'offset_out_of_range') return 'cursor_expired'
  return error.code === 'unavailable' || error.code === 'closed' ? 'unavailable' : undefined
}
