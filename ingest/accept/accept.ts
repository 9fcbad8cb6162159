import { systemTime, type Time } from '../../base/time.ts'
import { sourcesWithHistory } from '../../contracts/instruments.ts'
import { derivedId } from '../../domain/ids.ts'
import { ClaimLines } from '../../journal/claim-line.ts'
import { type Claim, isPassing, type Write } from '../../journal/journal.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import { keptLimits } from '../limits.ts'
import type { Document, DocumentError, Item, Items, SeriesDataset } from '../source.ts'
import { FiguresDecider } from './figures-decider.ts'
import type { Approval } from './held.ts'
import { NewestPrices } from './newest-prices.ts'
import { PricesDecider } from './prices-decider.ts'
import type { RecordedCheckpoint } from './recorded-checkpoint.ts'
import { RecordedFigures } from './recorded-figures.ts'
import { RecordedPriceHistory } from './recorded-price-history.ts'
import { type DecidedDocument, RecordedQuarantine } from './recorded-quarantine.ts'
import { faultOfCounted, noRowsKept, type RowFault, type RowsKept } from './rejected.ts'
import { addTally, emptyTally, type Tally } from './tally.ts'
import { chunks, type Drafting, type Drafts, groupChunksToJudge, markedEnds, noDrafts } from './transaction.ts'

const CLAIM = 'ingest/accept'
const ATTEMPTS = 5

type AcceptOptions = {
  readonly signal?: AbortSignal | undefined
  /** Called for each row that is rejected, and for what is held, after the transaction that records it. */
  readonly onFault?: ((fault: RowFault) => void) | undefined
  /** Set if a person has approved the items: they are not held again, and the approval is recorded with them. */
  readonly approval?: Approval | undefined
  /** Counts what each transaction has written, also of a document that turns out unreadable after some. */
  readonly tally?: Tally
}

/** What decides on the items of one document. */
type Deciders = {
  readonly figures: FiguresDecider
  /** Set from the first price on. */
  prices?: PricesDecider
}

/**
 * Decides on up to a chunk of items and writes what comes of it. `kept` is how many rejected rows of the document have records.
 */
type WriteChunk = (drafting: Drafting, kept?: RowsKept) => Promise<Drafts>

/**
 * Compares each item of a document with the journal and writes the outcome: new and revised figures to `releases`,
 * prices to `ticks`, and to `price_history` or `newest_prices`, rejected items to `quarantine`. Feeds write ticks and
 * quarantine on their own (`feed/`). What comes of an item is decided by `FiguresDecider` and `PricesDecider`.
 *
 * Any number of processes may have an acceptor. The claim `ingest/accept` lets one process write a document at a time, and
 * each reads what the others wrote before it decides. After an interruption the same document can be accepted again, because
 * items on record are recognised.
 */
export class Acceptor {
  readonly #journal: TypedJournal
  readonly #time: Pick<Time, 'now'>
  readonly #figures: RecordedFigures
  readonly #inputs: RecordedQuarantine
  readonly #newestPrices: NewestPrices
  /**
   * Queue of the documents that are ready to be written. They share what is known of the journal, and the claim alone keeps them
   * apart only while it is owned: one that is lost passes to the next document before the owner of it has noticed.
   */
  readonly #line = new ClaimLines()

  /** @param checkpoint keeps the figures of one country, so that the next process reads them faster */
  constructor(journal: TypedJournal, time: Pick<Time, 'now'> = systemTime, checkpoint?: RecordedCheckpoint) {
    this.#journal = journal
    this.#time = time
    this.#figures = new RecordedFigures(journal, checkpoint)
    this.#inputs = new RecordedQuarantine(journal)
    this.#newestPrices = new NewestPrices(journal, time)
  }

  /** Accepts the items of one document, in order. */
  async accept(
    document: Document,
    items: Items,
    { signal, onFault, approval, tally = emptyTally() }: AcceptOptions = {},
  ): Promise<Tally> {
    const decided = { document, inputs: this.#inputs, approval }
    const deciders: Deciders = { figures: new FiguresDecider(decided, this.#figures) }
    return this.#inTurn(signal, deciders, async (write) => {
      let kept = noRowsKept()
      const writeNext = async (drafting: Drafting) => {
        const written = await write(drafting, kept)
        kept = written.kept
        addTally(tally, written.tally)
        for (const fault of written.faults) onFault?.(fault)
      }
      const restatesHistory = sourcesWithHistory.includes(document.source)
      for await (const group of groupChunksToJudge(chunks(items, !approval), restatesHistory)) {
        signal?.throwIfAborted()
        if (group.some(hasPrices)) {
          deciders.prices ??= this.#pricesOf(decided)
          if (!approval) for (const drafting of deciders.prices.judge(group.flat())) await writeNext(drafting)
        }
        for (const chunk of group) {
          signal?.throwIfAborted()
          deciders.figures.prepareFor(chunk)
          await writeNext((drafts) => decideAll(decided, deciders, chunk, drafts))
        }
      }
      const more = faultOfCounted(kept)
      if (more) await write((drafts) => this.#inputs.add(document, drafts, more, new Uint8Array(), 0))
      return tally
    })
  }

  /** Puts an unreadable document into quarantine, with the first bytes that `keptLimits` allows. */
  async reject(document: Document, error: DocumentError, signal?: AbortSignal): Promise<void> {
    const fault = { reason: error.reason, detail: error.message, location: error.location }
    const decided = { document, inputs: this.#inputs, approval: undefined }
    const deciders = { figures: new FiguresDecider(decided, this.#figures) }
    await this.#inTurn(signal, deciders, (write) =>
      write((drafts) => this.#inputs.add(document, drafts, fault, document.bytes, keptLimits.documentBytes)),
    )
  }

  /** Records that these datasets were fetched, and that the fetch ended at `endedAt` without error. */
  async recordFetch(datasets: readonly SeriesDataset[], endedAt: Date): Promise<void> {
    if (datasets.length === 0) return
    const [at, fetched_at] = [endedAt.getTime(), endedAt.toISOString()]
    const drafts = datasets.map(({ source, dataset }) => ({
      value: { source, dataset, fetched_at },
      id: derivedId('fch', source, dataset, fetched_at),
      at,
    }))
    await this.#journal.append('fetches', 0, drafts)
  }

  #pricesOf(decided: DecidedDocument): PricesDecider {
    const { source } = decided.document
    const hasHistory = sourcesWithHistory.includes(source)
    const recorded = hasHistory ? new RecordedPriceHistory(this.#journal, source) : this.#newestPrices
    return new PricesDecider(decided, recorded)
  }

  /**
   * Does `work` in one turn and under one claim. Both are got for the first chunk; the claim is got again after a write that failed.
   */
  async #inTurn<T>(
    signal: AbortSignal | undefined,
    deciders: Deciders,
    work: (write: WriteChunk) => Promise<T>,
  ): Promise<T> {
    let endTurn: (() => void) | undefined
    let claim: Claim | undefined
    const release = async () => {
      // A claim that can't be released passes on by itself.
      await claim?.release().catch(() => undefined)
      claim = undefined
    }
    const write: WriteChunk = async (drafting, kept = noRowsKept()) => {
      endTurn ??= await this.#line.enter(CLAIM, signal ?? new AbortController().signal)
      let attempted: Drafts | undefined
      for (let attempt = 1; ; attempt++) {
        claim ??= await this.#journal.claim(CLAIM, signal)
        let drafts: Drafts | undefined
        try {
          await this.#catchUp(deciders, claim)
          // Deciding again would call what this document brought unchanged.
          if (attempted && this.#isRecorded(attempted, deciders)) return attempted
          const decided = noDrafts(Math.max(this.#time.now(), this.#figures.newestAt), structuredClone(kept))
          drafting(decided)
          drafts = decided
          await this.#commit(claim, drafts)
          return drafts
        } catch (error) {
          // The decisions may or may not be written: forget all of them, read the journal, decide again.
          this.#forget(deciders)
          attempted = drafts ?? attempted
          await release()
          if (!isPassing(error) || attempt >= ATTEMPTS) throw error
        }
      }
    }
    try {
      return await work(write)
    } finally {
      await release()
      endTurn?.()
    }
  }

  /** Reads everything that any process has written since the last call. */
  async #catchUp({ figures, prices }: Deciders, claim: Claim): Promise<void> {
    await figures.catchUp()
    await this.#inputs.catchUp()
    await prices?.recorded.catchUp(claim)
  }

  #forget({ prices }: Deciders): void {
    this.#figures.forget()
    this.#inputs.forget()
    prices?.recorded.forget()
  }

  async #commit(claim: Claim, { releases, ticks, history, newest, quarantine }: Drafts): Promise<void> {
    const writes: Write[] = []
    if (releases.length > 0) writes.push(this.#journal.writeOf('releases', 0, releases.map(markedEnds)))
    const byPartition = Map.groupBy(ticks, (draft) => this.#journal.partitionFor('ticks', draft.value.symbol))
    for (const [partition, drafts] of byPartition) writes.push(this.#journal.writeOf('ticks', partition, drafts))
    if (history.length > 0) writes.push(this.#journal.writeOf('price_history', 0, history))
    if (newest.size > 0) writes.push(this.#journal.writeOf('newest_prices', 0, [...newest.values()]))
    if (quarantine.length > 0) writes.push(this.#journal.writeOf('quarantine', 0, quarantine))
    if (writes.length === 0) return
    const [first] = await this.#journal.transact(claim, writes)
    this.#figures.advancePast(releases, first?.firstOffset)
  }

  /** Whether a transaction whose outcome was unknown is in the journal. One of its records decides, because all or none are. */
  #isRecorded(drafts: Drafts, { prices }: Deciders): boolean {
    return prices?.recorded.isRecorded(drafts) ?? this.#figures.isRecorded(drafts) ?? this.#inputs.isRecorded(drafts)
  }
}

const hasPrices = (items: readonly Item[]): boolean => items.some(({ kind }) => kind === 'price')

/** Decides on the items of one transaction, in order. */
function decideAll(
  { document, inputs, approval }: DecidedDocument,
  { figures, prices }: Deciders,
  items: readonly Item[],
  drafts: Drafts,
): void {
  if (approval && !inputs.approve(document, drafts, approval)) {
    // The first approval has decided on all of them. What is on record since then may contradict them, and stays.
    drafts.tally.unchanged += items.length
    return
  }
  figures.holdImplausible(items, drafts)
  for (const item of items) {
    if (item.kind === 'reject') inputs.reject(document, drafts, item, Buffer.from(item.text))
    else if (item.kind === 'price') prices?.decide(item, drafts)
    else figures.decide(item, drafts)
  }
}
