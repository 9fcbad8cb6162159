import { CatchUp, type Draft, type TypedJournal } from '../../journal/typed.ts'
import { keptLimits } from '../limits.ts'
import type { Document } from '../source.ts'
import { type Approval, approvalDraft, approvalId, type HeldInput, heldAgainId } from './held.ts'
import { inputIdOf, keepIfRoom, type RowFault, rejectedDrafts } from './rejected.ts'
import type { Drafts } from './transaction.ts'

/** The inputs on record in `quarantine`: rejected ones, held ones and approvals. Each is drafted once. */
export class RecordedQuarantine {
  readonly #quarantine: CatchUp<'quarantine'>
  #ids = new Set<string>()

  constructor(journal: TypedJournal) {
    this.#quarantine = new CatchUp(journal, 'quarantine')
  }

  /** Reads what any process has written since the last call. */
  async catchUp(): Promise<void> {
    await this.#quarantine.read(({ value }) => this.#ids.add(value.input_id))
  }

  /** Drops what is known, because it may not be written. */
  forget(): void {
    this.#ids = new Set()
    this.#quarantine.forget()
  }

  has(id: string): boolean {
    return this.#ids.has(id)
  }

  /** Records of a rejected input, with at most `limit` of its bytes. None if it is on record. `at` is UTC milliseconds. */
  rejected(
    document: Document,
    fault: RowFault,
    bytes: Uint8Array,
    at: number,
    limit: number,
    id: string = inputIdOf(document, fault),
  ): Draft<'quarantine'>[] {
    return this.#isNew(id) ? rejectedDrafts(document, fault, bytes, at, limit, id) : []
  }

  /** As `rejected`, for figures or prices that are held for review. Those that were approved before are held again. */
  held(document: Document, input: HeldInput, at: number, limit: number): Draft<'quarantine'>[] {
    let id = this.#idOf(input)
    while (this.#ids.has(approvalId(id))) id = heldAgainId(id)
    return this.rejected(document, input.fault, input.bytes, at, limit, id)
  }

  /** Whether what is held in an input has been approved. */
  isApproved(input: HeldInput): boolean {
    return this.#ids.has(approvalId(this.#idOf(input)))
  }

  /** The record of an approval. None if it is on record. `at` is UTC milliseconds. */
  approved(document: Document, approval: Approval, at: number): Draft<'quarantine'>[] {
    return this.#isNew(approvalId(approval.inputId)) ? [approvalDraft(document, approval, at)] : []
  }

  #idOf({ id, formerId }: HeldInput): string {
    return this.#ids.has(formerId) ? formerId : id
  }

  #isNew(id: string): boolean {
    if (this.#ids.has(id)) return false
    this.#ids.add(id)
    return true
  }
}

/** What one document puts into quarantine. */
export class DocumentQuarantine {
  readonly #document: Document
  readonly #recorded: RecordedQuarantine

  constructor(document: Document, recorded: RecordedQuarantine) {
    this.#document = document
    this.#recorded = recorded
  }

  /** Rejects a row. */
  reject(drafts: Drafts, fault: RowFault, bytes: Uint8Array): void {
    drafts.tally.rejected++
    drafts.faults.push(fault)
    if (keepIfRoom(drafts.kept, fault, bytes)) this.add(drafts, fault, bytes, keptLimits.rowBytes)
  }

  /** Holds `count` figures or prices. */
  hold(drafts: Drafts, input: HeldInput, count: number): void {
    drafts.tally.held += count
    drafts.faults.push(input.fault)
    const { documentBytes } = keptLimits
    if (!keepIfRoom(drafts.kept, input.fault, input.bytes, documentBytes)) return
    drafts.quarantine.push(...this.#recorded.held(this.#document, input, drafts.at, documentBytes))
  }

  /** Adds an input with at most `limit` of its bytes, unless it is on record. */
  add(drafts: Drafts, fault: RowFault, bytes: Uint8Array, limit: number): void {
    drafts.quarantine.push(...this.#recorded.rejected(this.#document, fault, bytes, drafts.at, limit))
  }

  /** Records an approval. Returns whether it is the first one of what it approves. */
  approve(drafts: Drafts, approval: Approval): boolean {
    const approvals = this.#recorded.approved(this.#document, approval, drafts.at)
    drafts.quarantine.push(...approvals)
    return approvals.length > 0
  }

  /** Whether what is held in an input has been approved. */
  isApproved(input: HeldInput): boolean {
    return this.#recorded.isApproved(input)
  }
}
