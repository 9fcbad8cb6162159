import { systemTime } from '../../base/time.ts'
import type { Quote, Release } from '../../contracts/records.ts'
import { StatementBoard } from '../../domain/calendar-statements.ts'
import { FetchBoard } from '../../domain/fetch-board.ts'
import { FigureBoard } from '../../domain/figure-board.ts'
import { NewestRecords } from '../../domain/newest-records.ts'
import { PriceBoard } from '../../domain/price-board.ts'
import { RecentReleases } from '../../domain/recent-releases.ts'
import { ReleaseDatesBoard } from '../../domain/release-dates.ts'
import { ReleaseIndex } from '../../domain/release-index.ts'
import { type Config, isSimulatorFed } from '../../infra/config.ts'
import type { Lifecycle } from '../../infra/lifecycle.ts'
import type { Log } from '../../infra/log.ts'
import { simulatedSymbols } from '../../ingest/simulator/levels.ts'
import { type Fold, foldTopic } from '../../journal/fold.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import type { CheckpointStore } from '../../processors/checkpoint.ts'
import { loadFigures, saveFigures } from './figures-checkpoint.ts'

/** Ends with the process, which ends if the fold fails. Resolves once the fold has caught up with the journal. */
export function startFold(lifecycle: Pick<Lifecycle, 'run'>, { caughtUp, done }: Fold): Promise<void> {
  lifecycle.run('fold', done)
  return caughtUp
}

type MemoryParts = {
  readonly config: Config
  readonly journal: TypedJournal
  readonly lifecycle: Pick<Lifecycle, 'signal' | 'run'>
  readonly checkpoints: CheckpointStore
  readonly log: Pick<Log, 'warn'>
  /** A start that reads as many releases keeps what it has made of them. By default they take it half a second of CPU time. */
  readonly worthKeeping?: number
}

export type Memory = ReturnType<typeof startMemory>

/** Keeps the api's figures, prices, calendars and times of fetches in memory, from the journal. */
export function startMemory({ config, journal, lifecycle, checkpoints, log, worthKeeping = 50_000 }: MemoryParts) {
  const { signal } = lifecycle
  const figures = new FigureBoard()
  const releaseIndex = new ReleaseIndex()
  const newestRecords = new NewestRecords()
  const statements = new StatementBoard()
  const releaseDates = new ReleaseDatesBoard()
  const fetches = new FetchBoard()
  const recentReleases = new RecentReleases()
  const prices = new PriceBoard({ isSimulatorFed: isSimulatorFed(config) })
  /** Offsets of the newest records in memory. */
  const newest = { releases: -1, quotes: -1 }
  const takeRelease = (release: Release, { offset }: { readonly offset: number }) => {
    figures.apply(release)
    releaseIndex.apply(release)
    newestRecords.note(offset, release)
    recentReleases.add(offset, release)
    newest.releases = offset
  }
  const takeQuote = (quote: Quote, { offset }: { readonly offset: number }) => {
    prices.apply(quote)
    newest.quotes = offset
  }
  const foldReleases = async () => {
    const boards = { figures, releaseIndex, newestRecords }
    const from = await loadFigures(checkpoints, journal, boards).catch((error) => {
      log.warn({ err: error }, 'the checkpoint of the figures in memory could not be read')
      return 0
    })
    newest.releases = from - 1
    recentReleases.startAfter(from - 1)
    await startFold(lifecycle, foldTopic(journal, 'releases', takeRelease, signal, systemTime, from))
    if (newest.releases + 1 - from < worthKeeping) return
    // The next start then reads as much again.
    await saveFigures(checkpoints, boards, newest.releases + 1).catch((error) =>
      log.warn({ err: error }, 'the checkpoint of the figures in memory could not be written'),
    )
  }
  const loaded = Promise.all([
    foldReleases(),
    ...[
      foldTopic(journal, 'quotes', takeQuote, signal, systemTime),
      foldTopic(journal, 'calendar', (change) => statements.apply(change), signal, systemTime),
      foldTopic(journal, 'release_dates', (dates) => releaseDates.apply(dates), signal, systemTime),
      foldTopic(journal, 'fetches', (fetched) => fetches.apply(fetched), signal, systemTime),
    ].map((fold) => startFold(lifecycle, fold)),
  ])
  // The start, which waits for it, may not have come to that yet.
  loaded.catch(() => undefined)
  return {
    figures,
    releaseIndex,
    newestRecords,
    recentReleases,
    statements,
    releaseDates,
    fetches,
    prices,
    newest: newest as Readonly<typeof newest>,
    /** Resolves once all of it has caught up with the journal. */
    loaded,
    /** Whether figures and prices include the newest records of the journal. */
    async isUpToDate(): Promise<boolean> {
      const [release, quote] = await Promise.all([journal.newest('releases', 0), journal.newest('quotes', 0)])
      return (release?.offset ?? -1) <= newest.releases && (quote?.offset ?? -1) <= newest.quotes
    },
    /** Whether every symbol of the simulator has a price. */
    isPriced: (): boolean => simulatedSymbols.every((symbol) => prices.quote(symbol)),
  }
}
