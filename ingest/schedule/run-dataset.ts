import { pause } from '../../base/async/pause.ts'
import { systemTime, type Time } from '../../base/time.ts'
import { claimInTime } from '../../journal/claim-in-time.ts'
import { isPassing as isJournalPassing } from '../../journal/journal.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import type { Acceptor } from '../accept/accept.ts'
import { AskLater } from '../fetch/http.ts'
import { ingestRemembered } from '../ingest-remembered.ts'
import type { PublisherMemory } from '../publisher-memory.ts'
import { type StructureChange, structureChangeText } from '../read/format-changes.ts'
import { type DocumentReport, tallyText } from '../run.ts'
import { DocumentError, type IngestSource, ParserUnavailable } from '../source.ts'
import { PermanentFailure, RetryLater, type Runner } from './schedule.ts'
import { datasetOfJob, PAUSE_MS } from './timetable.ts'

type DatasetRunnerOptions = {
  readonly sources: Readonly<Record<string, IngestSource>>
  /** Work of jobs that bring no figures, by the source in their name. */
  readonly others?: Readonly<Record<string, (dataset: string, signal: AbortSignal) => Promise<string>>>
  readonly journal: Pick<TypedJournal, 'claim'>
  /** Called at the first run and not before, because an acceptor may hold every figure in memory. */
  readonly acceptor: () => Acceptor
  /** The memory of publishers' answers, and the journal and program that have read them. */
  readonly remembered: { readonly memory: PublisherMemory; readonly readBy: string }
  readonly onDocument?: (job: string, report: DocumentReport) => void
  /** Called for an answer that has not changed since it was read. */
  readonly onUnchanged?: (job: string) => void
  readonly onChange?: (job: string, change: StructureChange) => void
  readonly pauseMs?: number
  /** Longest wait while another process ingests the same dataset, ms; then the run is retried later. */
  readonly claimMs?: number
  readonly time?: Time
}

/**
 * Returns a runner that does the work of `almanac ingest SOURCE --dataset NAME`. The claim `ingest/SOURCE/DATASET` keeps a
 * second process off the same dataset, whichever schedule that runs. Datasets of one source run one at a time. A run that waits
 * for its source counts towards the schedule's `concurrency`, so a low limit lets a source with many datasets block the others.
 */
export function datasetRunner(options: DatasetRunnerOptions): Runner {
  const {
    sources,
    others = {},
    journal,
    acceptor,
    remembered,
    onDocument,
    onUnchanged,
    onChange,
    pauseMs = PAUSE_MS,
    claimMs = 30_000,
    time = systemTime,
  } = options
  const lines = new Map<string, Promise<unknown>>()

  const underClaim = async (
    name: string,
    stopped: AbortSignal,
    work: (signal: AbortSignal) => Promise<string>,
  ): Promise<string> => {
    stopped.throwIfAborted()
    const claim = await claimInTime(journal, `ingest/${name}`, claimMs, stopped, time)
    try {
      return await work(AbortSignal.any([stopped, claim.lost]))
    } finally {
      // The document's outcome stands. A claim that can't be released passes on when its owner's heartbeats stop.
      await claim.release().catch(() => undefined)
    }
  }

  const read =
    (name: string, source: IngestSource, dataset: string) =>
    async (signal: AbortSignal): Promise<string> => {
      let unchanged = 0
      const changes: string[] = []
      const tally = await ingestRemembered(source, { signal, now: () => new Date(time.now()) }, acceptor(), {
        ...remembered,
        name: datasetOfJob(name).source,
        dataset,
        conditional: true,
        onDocument: (report) => onDocument?.(name, report),
        onUnchanged() {
          unchanged++
          onUnchanged?.(name)
        },
        onChange(change) {
          changes.push(`the format has changed (${structureChangeText(change)})`)
          onChange?.(name, change)
        },
      })
      const unmodified = unchanged === 0 ? [] : [unchanged === 1 ? 'not modified' : `${unchanged} not modified`]
      return [tallyText(tally, ''), ...unmodified, ...changes].filter((text) => text !== '').join('; ') || 'nothing'
    }

  return async (name, { signal }) => {
    const { source: sourceName, dataset } = datasetOfJob(name)
    const source = Object.hasOwn(sources, sourceName) ? sources[sourceName] : undefined
    const other = Object.hasOwn(others, sourceName) ? others[sourceName] : undefined
    const work = source ? read(name, source, dataset) : other && ((each: AbortSignal) => other(dataset, each))
    if (!work) throw new PermanentFailure(`There is no source ${JSON.stringify(sourceName)}.`)
    const ahead = lines.get(sourceName) ?? Promise.resolve()
    const done = ahead.then(() => underClaim(name, signal, work))
    const rest = () => pause(pauseMs, signal, time)
    lines.set(sourceName, done.then(rest, rest))
    try {
      return await done
    } catch (error) {
      if (error instanceof AskLater) throw new RetryLater(error.message, error.notBefore, { cause: error })
      if (error instanceof Error && !mayPass(error)) throw new PermanentFailure(reasonOf(error), { cause: error })
      throw error
    }
  }
}

const passingReasons: ReadonlySet<string> = new Set([
  'unreachable',
  'timed_out',
  'truncated',
  'http_408',
  'http_425',
  'http_429',
])

/**
 * Tells whether a retry of the run may succeed in some minutes: the publisher, the journal or this machine has a
 * transient fault, or another process holds the dataset.
 */
export function mayPass(error: unknown): boolean {
  if (error instanceof DocumentError) return passingReasons.has(error.reason) || /^http_5\d\d$/.test(error.reason)
  return isJournalPassing(error) || error instanceof ParserUnavailable
}

const reasonOf = (error: Error): string =>
  error instanceof DocumentError ? `${error.reason}: ${error.message}` : error.message
