import Fastify from 'fastify'
import type { Render } from '../../api/answer.ts'
import { CurrentHistory } from '../../api/current-history.ts'
import type { ApiDeps, DatedReads } from '../../api/deps.ts'
import type { ExecuteFor, OperationInput } from '../../api/execute.ts'
import { executeOver } from '../../api/execute-for.ts'
import { historyHandlers } from '../../api/handlers/histories.ts'
import { indicatorHandlers } from '../../api/handlers/indicators.ts'
import { KeptAnswers } from '../../api/kept-answers.ts'
import { ReadModelReach } from '../../api/read-model-reach.ts'
import { renderer } from '../../api/render.ts'
import { SeriesOfCell } from '../../api/series-of-cell.ts'
import { nextTurn, type Time } from '../../base/time.ts'
import { observationsOperationId, vintagesOperationId } from '../../contracts/history-operations.ts'
import { servingOf } from '../../contracts/indicators.ts'
import { operationById } from '../../contracts/operations.ts'
import { ProblemError, problems } from '../../contracts/problems.ts'
import { StatementBoard } from '../../domain/calendar-statements.ts'
import { FetchBoard } from '../../domain/fetch-board.ts'
import { FigureBoard } from '../../domain/figure-board.ts'
import { Lineage } from '../../domain/lineage.ts'
import { NewestRecords } from '../../domain/newest-records.ts'
import { PriceBoard } from '../../domain/price-board.ts'
import { RecentReleases } from '../../domain/recent-releases.ts'
import { ReleaseDatesBoard } from '../../domain/release-dates.ts'
import { ReleaseIndex } from '../../domain/release-index.ts'
import { foldTopic } from '../../journal/fold.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import { type Logged, memoryPublished, memoryVintages } from '../support/memory-vintages.ts'
import type { RestQuestion } from './evidence.ts'

/** What a client is told: the body, or the problem. */
export type Told = {
  readonly status: number
  readonly code: string | null
  readonly body: Readonly<Record<string, unknown>>
}

export type RestApi = {
  /** Answers a question, or the page of it behind a cursor. */
  ask(question: RestQuestion, page: { readonly limit: number; readonly cursor: string | null }): Promise<Told>
  readonly done: Promise<void>
}

type RestApiParts = {
  readonly journal: TypedJournal
  readonly time: Time
  readonly signal: AbortSignal
  /** The rows of the table of vintages, in the order of offsets. */
  readonly vintages: () => readonly Logged[]
  readonly render: Render
}

/** The serialisers of the service, made once: they take longer than a world. */
export const madeRenderer: () => Promise<Render> = (() => {
  let made: Promise<Render> | undefined
  const make = async () => {
    const app = Fastify()
    const { path, response } = operationById(servingOf('cpi').operationId)
    app.get(path, { schema: { response: { 200: response } } }, () => ({}))
    const render = renderer(app)
    await app.ready()
    return render
  }
  return () => {
    made ??= make()
    return made
  }
})()

const operationOf = {
  newest: (indicator: RestQuestion['indicator']) => servingOf(indicator).operationId,
  observations: observationsOperationId,
  vintages: vintagesOperationId,
}

/**
 * The operations of figures on one node, without HTTP: the real handlers over figures in memory, which are folded from the
 * journal, and over the table of vintages in memory.
 */
export function openRestApi({ journal, time, signal, vintages, render }: RestApiParts): RestApi {
  const figures = new FigureBoard()
  const releaseIndex = new ReleaseIndex()
  const newestRecords = new NewestRecords()
  const recentReleases = new RecentReleases()
  let newest = -1
  let isLoaded = false
  const fold = foldTopic(
    journal,
    'releases',
    (release, { offset }) => {
      figures.apply(release)
      releaseIndex.apply(release)
      newestRecords.note(offset, release)
      recentReleases.add(offset, release)
      newest = offset
    },
    signal,
    time,
  )
  fold.caughtUp.then(
    () => (isLoaded = true),
    () => undefined,
  )
  const readsOf = (day = ''): Pick<DatedReads, 'history' | 'vintages' | 'published'> => {
    const reads = answeredIn(time, memoryVintages(vintages, day))
    return { history: reads, vintages: reads, published: answeredIn(time, memoryPublished(vintages, day)) }
  }
  const deps = {
    ...readsOf(),
    figures,
    releaseIndex,
    newestRecords,
    recentReleases,
    statements: new StatementBoard(),
    releaseDates: new ReleaseDatesBoard(),
    fetches: new FetchBoard(),
    prices: new PriceBoard(),
    held: { spans: async () => [] },
    lineage: new Lineage(journal),
    clock: () => new Date(time.now()),
    apiBase: '',
    newestRelease: () => newest,
    journalReaches: async (offset: number) => offset <= newest || offset < (await journal.bounds('releases', 0)).end,
    answering: () => isLoaded || 'figures are being loaded',
    asOf: (day: string) => readsOf(day),
  }
  // Cast: the handlers of figures use nothing else.
  const executeFor: ExecuteFor = executeOver(
    deps as unknown as ApiDeps,
    (parts) => {
      const reach = new ReadModelReach(parts)
      const keeping = { ...parts, reach, monotonic: () => time.monotonic() }
      const kept = new KeptAnswers(keeping)
      const current = new CurrentHistory(keeping)
      const cells = new SeriesOfCell({ ...keeping, current })
      const figures = { ...parts, cells, history: current.over(parts.history) }
      return { ...indicatorHandlers(parts, render), ...historyHandlers(figures, render, kept) }
    },
    undefined,
    time,
  )
  return {
    done: fold.done,
    async ask({ operation, country, indicator, period, asOf, day }, { limit, cursor }) {
      await nextTurn(time)
      const filters = { ...(period && { period }), ...(asOf && { as_of: asOf }), ...(cursor !== null && { cursor }) }
      const query = operation === 'newest' ? filters : { ...filters, limit }
      const input: OperationInput = { params: { country }, query }
      try {
        const { body } = await executeFor(day ? { moment: { day, isEstimated: false } } : {})(
          operationById(operationOf[operation](indicator)),
          input,
          null,
        )
        return { status: 200, code: null, body: JSON.parse(body) }
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error
        return { status: problems[error.code].status, code: error.code, body: { detail: error.message } }
      }
    },
  }
}

/** Reads as a process makes them: each takes a moment, and while the process is stopped, answers wait for it. */
function answeredIn<R extends object>(time: Time, reads: R): R {
  const delayed = Object.entries(reads).map(([name, read]) => [
    name,
    async (...asked: unknown[]) => {
      const answer = await read(...asked)
      await nextTurn(time)
      return answer
    },
  ])
  // Cast: `fromEntries` forgets the names, and all of the reads are functions that return promises.
  return Object.fromEntries(delayed) as R
}
