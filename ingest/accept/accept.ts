import { type Claim, isPassing, type Write } from '../../journal/journal.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import type { HeldPrices } from '../judge/plausible-prices.ts'
import { keptLimits } from '../limits.ts'
import type { Document, DocumentError, Figure, Item, Items, Missing, Price } from '../source.ts'
import { type Approval, approvalId, type HeldInput, heldFiguresInput, heldPricesInput } from './approval.ts'
import { candidateOf } from './candidate.ts'
import { decidePrice } from './decide-price.ts'
import { DocumentPrices } from './document-prices.ts'
import { type Drafts, noDrafts } from './drafts.ts'
import { NewestPrices } from './newest-prices.ts'
import { chunks, judgedTogether, markedEnds } from './publications.ts'
import { RecordedFigures } from './recorded-figures.ts'
import { RecordedInputs } from './recorded-inputs.ts'
import { copyOf, faultOfCounted, inputIdOf, keepsRow, noRowsKept, type RowFault } from './rejected.ts'
import { addTally, emptyTally, type Tally } from './tally.ts'

const CLAIM = 'ingest/accept'
const ATTEMPTS = 5

type AcceptOptions = {
  readonly signal?: AbortSignal | undefined
  /** Called for each rejected row, after the transaction that records its chunk. */
  readonly onRejected?: ((fault: RowFault) => void) | undefined
  /** Set if a person has approved the items: they are not held again, and the approval is recorded with them. */
  readonly approval?: Approval | undefined
}

/** Decides on up to a chunk of items, beside `prices` too, and writes what comes of it. */
type WriteChunk = (decide: (at: number) => Drafts, prices?: DocumentPrices) => Promise<Drafts>

/**
 * Compares each item of a document with the journal and writes the outcome: new and revised figures to `releases`,
 * prices to `ticks` and `price_history`, rejected items to `quarantine`. Feeds write ticks and quarantine on their own (`feed/`).
 *
 * Any number of processes may have an acceptor. The claim `ingest/accept` lets one process write a document at a time, and each reads
 * what the others wrote before it decides. After an interruption the same document can be accepted again, because items on
 * record are recognised.
 */
export class Acceptor {
  readonly #journal: TypedJournal
  readonly #now: () => number
  readonly #figures: RecordedFigures
  readonly #newestPrices: NewestPrices
  readonly #inputs: RecordedInputs

  constructor(journal: TypedJournal, now: () => number = Date.now) {
    this.#journal = journal
    this.#now = now
    this.#figures = new RecordedFigures(journal)
    this.#newestPrices = new NewestPrices(journal)
    this.#inputs = new RecordedInputs(journal)
  }

  /** Accepts the items of one document, in order. */
  async accept(document: Document, items: Items, { signal, onRejected, approval }: AcceptOptions = {}): Promise<Tally> {
    return this.#inTurn(signal, async (write) => {
      const prices = new DocumentPrices(this.#journal, document, this.#newestPrices)
      const tally = emptyTally()
      let kept = noRowsKept()
      const decide = async (decideOn: (drafts: Drafts, at: number) => void) => {
        const written = await write((at) => {
          const drafts = noDrafts(copyOf(kept))
          decideOn(drafts, at)
          return drafts
        }, prices)
        kept = written.kept
        addTally(tally, written.tally)
        for (const fault of written.rejected) onRejected?.(fault)
      }
      for await (const together of judgedTogether(chunks(items, !approval), prices.isSeries)) {
        signal?.throwIfAborted()
        let held: readonly HeldPrices[] = []
        if (together.some((chunk) => prices.expect(chunk)) && !approval)
          await decide((_, at) => {
            held = prices.heldOf(together.flat(), at)
          })
        // Before the others, because what is withheld from now on must be on record.
        for (const one of held) await decide((drafts, at) => this.#holdPrices(drafts, document, one, prices, at))
        const withheld = new Set<Item>(held.flatMap((one) => one.prices))
        for (const chunk of together) {
          signal?.throwIfAborted()
          await decide((drafts, at) => this.#decide(drafts, document, chunk, at, approval, prices, withheld))
        }
      }
      const more = faultOfCounted(kept)
      if (more) await this.#quarantineInput(write, document, more, new Uint8Array(), 0)
      return tally
    })
  }

  /** Puts an unreadable document into quarantine, with the first bytes that `keptLimits` allows. */
  async reject(document: Document, error: DocumentError, signal?: AbortSignal): Promise<void> {
    const fault = { reason: error.reason, detail: error.message, location: error.location }
    const { documentBytes } = keptLimits
    await this.#inTurn(signal, (write) => this.#quarantineInput(write, document, fault, document.bytes, documentBytes))
  }

  /** Writes one rejected input to quarantine, unless it is there already. */
  async #quarantineInput(
    write: WriteChunk,
    document: Document,
    fault: RowFault,
    bytes: Uint8Array,
    limit: number,
  ): Promise<void> {
    await write((at) => {
      const drafts = noDrafts()
      drafts.quarantine.push(...this.#inputs.rejected(document, fault, bytes, at, limit))
      return drafts
    })
  }

  /** Does `work` under one claim, got when there is something to write, and got again after a write that failed. */
  async #inTurn<T>(signal: AbortSignal | undefined, work: (write: WriteChunk) => Promise<T>): Promise<T> {
    let claim: Claim | undefined
    const release = async () => {
      // A claim that can't be released passes on by itself.
      await claim?.release().catch(() => undefined)
      claim = undefined
    }
    const write: WriteChunk = async (decide, prices) => {
      let uncertain: Drafts | undefined
      for (let attempt = 1; ; attempt++) {
        claim ??= await this.#journal.claim(CLAIM, signal)
        let drafts: Drafts | undefined
        try {
          await this.#catchUp()
          await prices?.catchUp(claim)
          // Deciding again would call what this document brought unchanged.
          if (uncertain && this.#isRecorded(uncertain, prices)) return uncertain
          drafts = decide(Math.max(this.#now(), this.#figures.newestAt))
          await this.#commit(claim, drafts)
          return drafts
        } catch (error) {
          // The decisions may or may not be written: forget all of them, read the journal, decide again.
          this.#forget()
          prices?.forget()
          uncertain = drafts ?? uncertain
          await release()
          if (!isPassing(error) || attempt >= ATTEMPTS) throw error
        }
      }
    }
    try {
      return await work(write)
    } finally {
      await release()
    }
  }

  async #commit(claim: Claim, { releases, ticks, history, quarantine }: Drafts): Promise<void> {
    const writes: Write[] = []
    if (releases.length > 0) writes.push(this.#journal.write('releases', 0, releases.map(markedEnds)))
    const byPartition = Map.groupBy(ticks, (draft) => this.#journal.partitionFor('ticks', draft.value.symbol))
    for (const [partition, drafts] of byPartition) writes.push(this.#journal.write('ticks', partition, drafts))
    if (history.length > 0) writes.push(this.#journal.write('price_history', 0, history))
    if (quarantine.length > 0) writes.push(this.#journal.write('quarantine', 0, quarantine))
    if (writes.length === 0) return
    const [first] = await this.#journal.transact(claim, writes)
    this.#figures.goPast(releases, first?.firstOffset)
  }

  /** Whether a transaction whose outcome was unknown is in the journal. One of its records decides, because all or none are. */
  #isRecorded({ releases, ticks, history, quarantine: [rejected] }: Drafts, prices?: DocumentPrices): boolean {
    const price = history.at(-1)
    if (price) return prices?.has(price.value) === true
    // The last one, because no other of them redates it.
    const release = releases.at(-1)
    if (release) return this.#figures.has(release.value)
    if (rejected) return this.#inputs.has(rejected.value.input_id)
    const tick = ticks.at(-1)
    return tick !== undefined && prices?.isNewest(tick.value) === true
  }

  /** Prices in `withheld` are passed over. */
  #decide(
    drafts: Drafts,
    document: Document,
    items: readonly Item[],
    at: number,
    approval: Approval | undefined,
    prices: DocumentPrices,
    withheld: ReadonlySet<Item>,
  ): void {
    const recordedAt = new Date(at).toISOString()
    const held = approval ? [] : this.#figures.heldOf(document, items, recordedAt)
    for (const figures of held)
      this.#hold(drafts, document, heldFiguresInput(document, figures), figures.figures.length, at)
    const approvals = approval ? this.#inputs.approved(document, approval, at) : []
    drafts.quarantine.push(...approvals)
    const approved = approval && (approvals.length > 0 ? 'first' : 'again')
    const heldFigures = new Set<Item>(held.flatMap(({ figures }) => figures))
    for (const item of items) {
      if (heldFigures.has(item) || withheld.has(item)) continue
      if (item.kind === 'figure' || item.kind === 'missing')
        this.#decideFigure(drafts, document, item, at, recordedAt, approval)
      else if (item.kind === 'price') this.#decidePrice(drafts, document, item, at, prices, approved)
      else this.#quarantine(drafts, document, item, Buffer.from(item.text), at)
    }
  }

  /** `recordedAt` is `at` in ISO 8601. */
  #decideFigure(
    drafts: Drafts,
    document: Document,
    figure: Figure | Missing,
    at: number,
    recordedAt: string,
    approval: Approval | undefined,
  ): void {
    const candidate = candidateOf(document, figure, approval)
    const decision = this.#figures.decide(candidate, recordedAt)
    switch (decision.outcome) {
      case 'unchanged':
        drafts.tally.unchanged++
        return
      case 'rejected': {
        const text = JSON.stringify({ series: figure.series.id, period: figure.period, figures: candidate.printed })
        this.#quarantine(drafts, document, { ...decision, location: figure.location }, Buffer.from(text), at)
        return
      }
      default:
        drafts.tally[decision.outcome]++
        drafts.releases.push({ value: decision.release, id: decision.release.release_id, at })
    }
  }

  #decidePrice(
    drafts: Drafts,
    document: Document,
    price: Price,
    at: number,
    prices: DocumentPrices,
    approved: 'first' | 'again' | undefined,
  ): void {
    const decision = decidePrice(document, price, at, prices, approved)
    switch (decision.outcome) {
      case 'unserved':
      case 'unchanged':
      case 'older':
        drafts.tally[decision.outcome]++
        return
      case 'rejected': {
        const bytes = Buffer.from(JSON.stringify(price))
        this.#quarantine(drafts, document, { ...decision.fault, location: price.location }, bytes, at)
        return
      }
      default:
        drafts.tally[decision.outcome]++
        drafts.ticks.push(decision.tick)
        if (decision.history) drafts.history.push(decision.history)
    }
  }

  #quarantine(drafts: Drafts, document: Document, fault: RowFault, bytes: Uint8Array, at: number): void {
    drafts.tally.rejected++
    drafts.rejected.push(fault)
    if (!keepsRow(drafts.kept, fault, bytes)) return
    drafts.quarantine.push(...this.#inputs.rejected(document, fault, bytes, at, keptLimits.rowBytes))
  }

  /** Holds `count` figures or prices. */
  #hold(drafts: Drafts, document: Document, { fault, bytes }: HeldInput, count: number, at: number): void {
    drafts.tally.held += count
    drafts.rejected.push(fault)
    const { documentBytes } = keptLimits
    if (!keepsRow(drafts.kept, fault, bytes, documentBytes)) return
    drafts.quarantine.push(...this.#inputs.held(document, fault, bytes, at, documentBytes))
  }

  /** Prices of a source that is no series are on record once they are approved, whatever is newer by then. */
  #holdPrices(drafts: Drafts, document: Document, held: HeldPrices, { isSeries }: DocumentPrices, at: number): void {
    const input = heldPricesInput(document, held)
    if (!isSeries && this.#inputs.has(approvalId(inputIdOf(document, input.fault))))
      drafts.tally.unchanged += held.prices.length
    else this.#hold(drafts, document, input, held.prices.length, at)
  }

  /** Reads everything that any process has written since the last call. */
  async #catchUp(): Promise<void> {
    await this.#figures.catchUp()
    await this.#inputs.catchUp()
  }

  #forget(): void {
    this.#figures.forget()
    this.#inputs.forget()
  }
}
