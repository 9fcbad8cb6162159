import { ProblemError } from '../../contracts/problems.ts'
import { judgeEventCursor } from '../../domain/cursor.ts'
import type { EventFilter } from '../../domain/event-filter.ts'
import { faultOfSequence } from '../../domain/event-start.ts'
import type { Lineage } from '../../domain/lineage.ts'
import { cursorAt, servedEvent } from '../../domain/served-event.ts'
import { JournalError } from '../../journal/journal.ts'
import { mediaTypes } from '../accept.ts'
import { caching, type Render } from '../answer.ts'
import type { ApiDeps, Caller } from '../deps.ts'
import { type EventEnds, type EventPosition, EventPositions } from '../event-positions.ts'
import {
  cursorRefusal,
  type EventQuery,
  familiesFor,
  otherUnitProblem,
  readEventStart,
  startIn,
  startRefusal,
} from '../event-question.ts'
import { type Handlers, handler, type OperationInput } from '../execute.ts'
import { exportLines } from '../export-lines.ts'
import type { Exports } from '../exports.ts'
import { askedSpan, refuseUnknownCountry } from '../filters.ts'

type ExportInput = OperationInput & { readonly query: EventQuery & { readonly end?: string } }
type ExportQuestion = {
  readonly caller: Caller
  readonly from: EventPosition
  readonly to: number
  readonly filter: EventFilter
}

const PATH = '/v1/events/export'

type Deps = Pick<ApiDeps, 'journal' | 'lineage' | 'gate' | 'logger'>

/** Serves slices of the events straight from the journal. */
export function exportHandlers(deps: Deps, render: Render, exports: Exports): Handlers {
  const { journal, lineage, gate, logger } = deps
  const positions = new EventPositions(journal)
  return {
    events_export: handler<ExportInput, ExportQuestion>({
      ask: async ({ query }, caller) => {
        refuseUnknownCountry(query.country)
        if (!caller) throw new Error('events are exported without a caller')
        const setOf = (list: readonly string[] | undefined) => (list ? new Set(list) : null)
        const filter = {
          countries: setOf(query.country),
          families: new Set(familiesFor(caller, query.family)),
          types: setOf(query.type),
        }
        return { caller, filter, ...(await sliceOf(query, positions, deps).catch(unavailableIfAway)) }
      },
      answer: ({ caller, from, to, filter }) => {
        const lines = (closing: AbortSignal) =>
          exportLines({
            journal,
            lineage,
            from,
            to,
            filter,
            closing,
            lineOf: (record) => render.text('events_get', servedEvent(record, lineage)),
            charge: () => gate.charge(caller),
            failed: (err) => logger?.error({ err }, 'an export was cut'),
          })
        const stream = exports.start(caller.account, lines)
        const contentType = `${mediaTypes.ndjson}; charset=utf-8`
        return { body: '', etag: '', contentType, cacheControl: caching.never, stream }
      },
    }),
  }
}

async function sliceOf(query: ExportInput['query'], positions: EventPositions, { lineage }: Deps) {
  const start = startIn(query)
  const ends = await positions.ends()
  const to = query.end === undefined ? ends.next.offset : await endOffset(query.end, positions, ends)
  if (!start) return { from: await positionOfCursor(query, positions, ends, lineage), to }
  if ('recordedFrom' in start) return { from: await positions.ofTime(start.recordedFrom), to }
  const { next } = ends
  const fault = faultOfSequence(start, next.sequence)
  if (fault) throw startRefusal(fault, PATH, query, cursorAt(lineage, next.sequence))
  return { from: await positions.ofSequence(start.sequence, 0, ends), to }
}

/** Offset behind the last event of an export. Never beyond the newest event at the time of the call. */
async function endOffset(text: string, positions: EventPositions, ends: EventEnds): Promise<number> {
  // Sequences begin at 1, so there is no event up to 0.
  if (/^0+$/.test(text)) return ends.first.offset
  const end = readEventStart('end', text)
  const fault = 'sequence' in end ? faultOfSequence(end, ends.next.sequence) : undefined
  if (fault?.isTime) throw otherUnitProblem('end', fault.detail)
  // A date is the whole day, and an instant may lie between two milliseconds.
  const position =
    'sequence' in end
      ? await positions.ofSequence(end.sequence + 1, 0, ends)
      : await positions.ofTime(askedSpan('end', text).last + 1)
  return Math.min(position.offset, ends.next.offset)
}

/** Where the cursor points. It is honoured or refused, never moved. */
async function positionOfCursor(query: EventQuery, positions: EventPositions, ends: EventEnds, lineage: Lineage) {
  const { first, next } = ends
  const { cursor: given = 'earliest' } = query
  if (given === 'earliest') return first
  if (given === 'latest') return next
  const cursor = judgeEventCursor(given, { lineage, first: first.sequence, end: next.sequence })
  if (!('refused' in cursor)) return positions.ofSequence(cursor.sequence, cursor.hint, ends)
  const { refused, goOnAt } = cursor
  const at = { earliest: first.sequence, latest: next.sequence }
  throw cursorRefusal(refused, PATH, query, cursorAt(lineage, typeof goOnAt === 'number' ? goOnAt : at[goOnAt]))
}

function unavailableIfAway(error: unknown): never {
  if (!(error instanceof JournalError) || error.code !== 'unavailable') throw error
  throw new ProblemError('unavailable', 'The journal cannot be read now.', { cause: error })
}
