import { isServedSymbol, seriesSources } from '../contracts/instruments.ts'
import type { Quote, Release } from '../contracts/records.ts'
import type { QuoteState } from '../domain/decide-quote.ts'
import { decideRelease } from '../domain/decide-release.ts'
import { equalDecimals } from '../domain/decimal.ts'
import { asKnown, type KnownRelease, printsOf } from '../domain/prints.ts'
import { type Claim, isPassing, type Write } from '../journal/journal.ts'
import type { Draft, TypedJournal } from '../journal/typed.ts'
import { type Approval, approvalDraft, approvalId, heldAgainId, heldInput } from './approval.ts'
import { candidateOf } from './candidate.ts'
import { canonicalPrice } from './canonical-price.ts'
import { keptLimits } from './limits.ts'
import { type HeldFigures, heldOf } from './plausible.ts'
import { priceTick } from './price-tick.ts'
import { chunks, markedEnds } from './publications.ts'
import { RecordedPrices } from './recorded-prices.ts'
import {
  copyOf,
  faultOfCounted,
  inputIdOf,
  keepsRow,
  noRowsKept,
  type RowFault,
  type RowsKept,
  rejectedDrafts,
} from './rejected.ts'
import type { Document, DocumentError, Figure, Item, Items, Missing, Price } from './source.ts'
import { addTally, emptyTally, type Tally } from './tally.ts'

const CLAIM = 'ingest/accept'
const ATTEMPTS = 5

type Drafts = {
  releases: Draft<'releases'>[]
  ticks: Draft<'ticks'>[]
  history: Draft<'price_history'>[]
  quarantine: Draft<'quarantine'>[]
  tally: Tally
  /** Faults in document order. */
  rejected: RowFault[]
  kept: RowsKept
}

type AcceptOptions = {
  readonly signal?: AbortSignal | undefined
  /** Called for each rejected row, after the transaction that records its chunk. */
  readonly onRejected?: ((fault: RowFault) => void) | undefined
  /** Set if a person has approved the items: they are not held again, and the approval is recorded with them. */
  readonly approval?: Approval | undefined
}

/** Decides on up to a chunk of items, against `recorded` too, and writes what comes of it. */
type WriteChunk = (decide: (at: number) => Drafts, recorded?: RecordedPrices) => Promise<Drafts>

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
  #known = new Map<string, Map<string, KnownRelease>>()
  /** Newest price by `symbol source`, for sources that are no series (`seriesSources`). */
  #prices = new Map<string, { observed_at: string; price: string }>()
  #quarantined = new Set<string>()
  /** Ids of the releases that this acceptor wrote last, which it may read back: they are known already. */
  #own = new Set<string>()
  /** Next offset to read of each topic. */
  #seen = { releases: 0, quarantine: 0, quotes: 0 }
  #newest = 0

  constructor(journal: TypedJournal, now: () => number = Date.now) {
    this.#journal = journal
    this.#now = now
  }

  /** Accepts the items of one document, in order. */
  async accept(document: Document, items: Items, { signal, onRejected, approval }: AcceptOptions = {}): Promise<Tally> {
    return this.#inTurn(signal, async (write) => {
      const tally = emptyTally()
      let kept = noRowsKept()
      let recorded: RecordedPrices | undefined
      for await (const chunk of chunks(items)) {
        signal?.throwIfAborted()
        if (seriesSources.includes(document.source) && chunk.some(({ kind }) => kind === 'price'))
          recorded ??= new RecordedPrices(this.#journal, document.source)
        const written = await write((at) => this.#decide(document, chunk, at, kept, approval, recorded), recorded)
        kept = written.kept
        addTally(tally, written.tally)
        for (const fault of written.rejected) onRejected?.(fault)
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
      this.#draftRejected(drafts, document, fault, bytes, at, limit)
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
    const write: WriteChunk = async (decide, recorded) => {
      let uncertain: Drafts | undefined
      for (let attempt = 1; ; attempt++) {
        claim ??= await this.#journal.claim(CLAIM, signal)
        let drafts: Drafts | undefined
        try {
          await this.#catchUp()
          await recorded?.catchUp()
          // Deciding again would call what this document brought unchanged.
          if (uncertain && this.#isRecorded(uncertain, recorded)) return uncertain
          drafts = decide(Math.max(this.#now(), this.#newest))
          await this.#commit(claim, drafts)
          return drafts
        } catch (error) {
          // The decisions may or may not be written: forget all of them, read the journal, decide again.
          this.#forget()
          recorded?.forget()
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
    // Goes past the releases just written, because they are known. If another process wrote before them, all are read.
    const last = releases.at(-1)
    if (last && first?.firstOffset === this.#seen.releases) {
      this.#seen.releases += releases.length
      this.#newest = Math.max(this.#newest, last.at)
    }
  }

  /** Whether a transaction whose outcome was unknown is in the journal. One of its records decides, because all or none are. */
  #isRecorded({ releases, history, quarantine: [rejected] }: Drafts, recorded?: RecordedPrices): boolean {
    const price = history.at(-1)
    if (price) return recorded?.has(price.value) === true
    // The last one, because no other of them redates it.
    const release = releases.at(-1)
    if (!release) return rejected !== undefined && this.#quarantined.has(rejected.value.input_id)
    const { series, period, release_id } = release.value
    return printsOf(this.#known.get(series.id)?.get(period)).some((print) => print.release_id === release_id)
  }

  #decide(
    document: Document,
    items: readonly Item[],
    at: number,
    kept: RowsKept,
    approval: Approval | undefined,
    recorded: RecordedPrices | undefined,
  ): Drafts {
    const drafts = noDrafts(copyOf(kept))
    const recordedAt = new Date(at).toISOString()
    const held = approval ? [] : this.#heldOf(document, items, recordedAt)
    for (const figures of held) this.#hold(drafts, document, figures, at)
    if (approval) this.#draftApproval(drafts, approvalDraft(document, approval, at))
    const withheld = new Set<Item>(held.flatMap(({ figures }) => figures))
    for (const item of items) {
      if (withheld.has(item)) continue
      if (item.kind === 'figure' || item.kind === 'missing') this.#decideFigure(drafts, document, item, at, recordedAt)
      else if (item.kind === 'price') this.#decidePrice(drafts, document, item, at, recorded)
      else this.#quarantine(drafts, document, item, Buffer.from(item.text), at)
    }
    return drafts
  }

  /** The implausible figures of a document. They need no review if all of them are on record already or cannot be. */
  #heldOf(document: Document, items: readonly Item[], recordedAt: string): HeldFigures[] {
    const known = (series: string, period: string) => this.#known.get(series)?.get(period)
    const isNews = (figure: Figure | Missing): boolean => {
      const { outcome } = decideRelease(
        known(figure.series.id, figure.period),
        candidateOf(document, figure),
        recordedAt,
      )
      return outcome !== 'unchanged' && outcome !== 'rejected'
    }
    const held = heldOf(items, (series, period) => known(series, period)?.figures)
    return held.filter(({ figures }) => figures.some(isNews))
  }

  /** `recordedAt` is `at` in ISO 8601. */
  #decideFigure(drafts: Drafts, document: Document, figure: Figure | Missing, at: number, recordedAt: string): void {
    const candidate = candidateOf(document, figure)
    const known = this.#known.get(figure.series.id)?.get(figure.period)
    const decision = decideRelease(known, candidate, recordedAt)
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
        this.#remember(decision.release)
        this.#own.add(decision.release.release_id)
        drafts.releases.push({ value: decision.release, id: decision.release.release_id, at })
    }
  }

  #decidePrice(
    drafts: Drafts,
    document: Document,
    price: Price,
    at: number,
    recorded: RecordedPrices | undefined,
  ): void {
    if (!isServedSymbol(price.symbol)) {
      drafts.tally.unserved++
      return
    }
    const judged = canonicalPrice(price, at)
    if ('reason' in judged) {
      this.#quarantine(
        drafts,
        document,
        { ...judged, location: price.location },
        Buffer.from(JSON.stringify(price)),
        at,
      )
      return
    }
    const { canonical } = judged
    const history = recorded?.decide(document, price, canonical, at)
    if (recorded ? !history : !this.#isNews(document.source, price, canonical)) {
      drafts.tally.unchanged++
      return
    }
    if (history) drafts.history.push(history)
    if (history && history.value.restates !== null) drafts.tally.restated++
    else drafts.tally.prices++
    const tick = priceTick({
      symbol: price.symbol,
      source: document.source,
      price: canonical,
      observed_at: price.observedAt,
      recorded_at: new Date(at).toISOString(),
      url: document.url,
    })
    drafts.ticks.push({ ...tick, at })
  }

  /**
   * Whether a price can change a quote: it is neither a repeat nor older than the newest of its source. Remembers it
   * as the newest.
   */
  #isNews(source: string, { symbol, observedAt }: Price, price: string): boolean {
    const place = `${symbol} ${source}`
    const known = this.#prices.get(place)
    if (known && known.observed_at > observedAt) return false
    if (known?.observed_at === observedAt && equalDecimals(known.price, price)) return false
    this.#prices.set(place, { observed_at: observedAt, price })
    return true
  }

  #quarantine(drafts: Drafts, document: Document, fault: RowFault, bytes: Uint8Array, at: number): void {
    drafts.tally.rejected++
    drafts.rejected.push(fault)
    if (keepsRow(drafts.kept, fault, bytes))
      this.#draftRejected(drafts, document, fault, bytes, at, keptLimits.rowBytes)
  }

  #draftApproval(drafts: Drafts, draft: Draft<'quarantine'>): void {
    const { input_id } = draft.value
    if (this.#quarantined.has(input_id)) return
    this.#quarantined.add(input_id)
    drafts.quarantine.push(draft)
  }

  #hold(drafts: Drafts, document: Document, held: HeldFigures, at: number): void {
    const { fault, bytes } = heldInput(document, held)
    drafts.tally.held += held.figures.length
    drafts.rejected.push(fault)
    const { documentBytes } = keptLimits
    if (!keepsRow(drafts.kept, fault, bytes, documentBytes)) return
    let id = inputIdOf(document, fault)
    while (this.#quarantined.has(approvalId(id))) id = heldAgainId(id)
    this.#draftRejected(drafts, document, fault, bytes, at, documentBytes, id)
  }

  #draftRejected(
    drafts: Drafts,
    document: Document,
    fault: RowFault,
    bytes: Uint8Array,
    at: number,
    limit: number,
    id: string = inputIdOf(document, fault),
  ): void {
    if (this.#quarantined.has(id)) return
    this.#quarantined.add(id)
    drafts.quarantine.push(...rejectedDrafts(document, fault, bytes, at, limit, id))
  }

  #remember(release: Release): void {
    const periods = this.#known.get(release.series.id) ?? new Map<string, KnownRelease>()
    this.#known.set(release.series.id, periods)
    periods.set(release.period, asKnown(release, periods.get(release.period)))
  }

  /** Reads everything that any process has written since the last call. */
  async #catchUp(): Promise<void> {
    for await (const batch of this.#journal.readToEnd('releases', 0, this.#seen.releases)) {
      for (const { value, timestamp } of batch.records) {
        this.#newest = Math.max(this.#newest, timestamp)
        if (value.series.derivation === '' && !this.#own.delete(value.release_id)) this.#remember(value)
      }
      this.#seen.releases = batch.next
    }
    this.#own.clear()
    for await (const batch of this.#journal.readToEnd('quarantine', 0, this.#seen.quarantine)) {
      for (const { value } of batch.records) this.#quarantined.add(value.input_id)
      this.#seen.quarantine = batch.next
    }
    for await (const batch of this.#journal.readToEnd('quotes', 0, this.#seen.quotes)) {
      for (const { value } of batch.records) this.#rememberPrices(value)
      this.#seen.quotes = batch.next
    }
  }

  /** Remembers the prices in a quote, which holds the newest of every source. Prices accepted here may be newer. */
  #rememberPrices({ symbol, state }: Quote): void {
    // Cast: the quotes processor writes this JSON from a QuoteState.
    const { prices } = JSON.parse(state) as QuoteState
    for (const [source, price] of Object.entries(prices)) {
      const known = this.#prices.get(`${symbol} ${source}`)
      if (!known || known.observed_at < price.observed_at) this.#prices.set(`${symbol} ${source}`, price)
    }
  }

  #forget(): void {
    this.#known = new Map()
    this.#prices = new Map()
    this.#quarantined = new Set()
    this.#own = new Set()
    this.#seen = { releases: 0, quarantine: 0, quotes: 0 }
  }
}

const noDrafts = (kept = noRowsKept()): Drafts => ({
  releases: [],
  ticks: [],
  history: [],
  quarantine: [],
  tally: emptyTally(),
  rejected: [],
  kept,
})
