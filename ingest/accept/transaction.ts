/** What shares a transaction, and what comes of its items. */
import type { Draft } from '../../journal/typed.ts'
import type { Item, Items } from '../source.ts'
import type { RowFault, RowsKept } from './rejected.ts'
import { emptyTally, type Tally } from './tally.ts'

/**
 * Number of items in one transaction. The figures of one country and date belong into one publication, and so into one
 * transaction, which may exceed `CHUNK` for them, but never `LARGEST_CHUNK`.
 */
const CHUNK = 2_000
const LARGEST_CHUNK = 20_000
/** Marks the last release of each publication. */
export const markedEnds = (
  draft: Draft<'releases'>,
  index: number,
  drafts: readonly Draft<'releases'>[],
): Draft<'releases'> =>
  drafts[index + 1]?.value.released_on === draft.value.released_on ? draft : { ...draft, endsPublication: true }

/**
 * Cuts items into chunks, between publications where possible, so that figures are derived from a whole publication. Approved
 * items are not cut: with the approval they are one transaction.
 */
export async function* chunks(items: Items, mayCut = true): AsyncGenerator<Item[]> {
  let chunk: Item[] = []
  for await (const batch of Symbol.asyncIterator in items ? items : [items]) {
    for (const item of batch) {
      const last = chunk.at(-1)
      if (
        mayCut &&
        last &&
        (chunk.length >= LARGEST_CHUNK || (chunk.length >= CHUNK && !publishedTogether(last, item)))
      ) {
        yield chunk
        chunk = []
      }
      chunk.push(item)
    }
  }
  if (chunk.length > 0) yield chunk
}

/**
 * Groups the chunks that are judged together: all prices of a source that restates its history, because a wrong beginning shows
 * only beside what is on record for later. These prices are held in memory anyway. Other documents stay in pieces.
 */
export async function* groupChunksToJudge(
  chunks: AsyncIterable<Item[]>,
  restatesHistory: boolean,
): AsyncGenerator<Item[][]> {
  const gathered: Item[][] = []
  for await (const chunk of chunks) {
    if (restatesHistory && (gathered.length > 0 || chunk.some(({ kind }) => kind === 'price'))) gathered.push(chunk)
    else yield [chunk]
  }
  if (gathered.length > 0) yield gathered
}

const publishedTogether = (a: Item, b: Item): boolean =>
  'series' in a && 'series' in b && a.series.country === b.series.country && a.released?.on === b.released?.on

/** What comes of the items of one transaction. */
export type Drafts = {
  /** Time of the records, UTC milliseconds. */
  readonly at: number
  /** The same time in ISO 8601. */
  readonly recordedAt: string
  releases: Draft<'releases'>[]
  ticks: Draft<'ticks'>[]
  history: Draft<'price_history'>[]
  /** The last one of each symbol and source, by record key. */
  newest: Map<string, Draft<'newest_prices'>>
  quarantine: Draft<'quarantine'>[]
  tally: Tally
  /** Faults of what is rejected or held, in document order. */
  faults: RowFault[]
  kept: RowsKept
}

export const noDrafts = (at: number, kept: RowsKept): Drafts => ({
  at,
  recordedAt: new Date(at).toISOString(),
  releases: [],
  ticks: [],
  history: [],
  newest: new Map(),
  quarantine: [],
  tally: emptyTally(),
  faults: [],
  kept,
})

/** Adds to the drafts of one transaction. It is called again with new drafts if the transaction fails. */
export type Drafting = (drafts: Drafts) => void
