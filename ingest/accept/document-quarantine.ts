import { keptLimits } from '../limits.ts'
import type { Document } from '../source.ts'
import type { Approval, HeldInput } from './approval.ts'
import type { Drafts } from './drafts.ts'
import type { RecordedQuarantine } from './recorded-quarantine.ts'
import { keepsRow, type RowFault } from './rejected.ts'

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
    if (keepsRow(drafts.kept, fault, bytes)) this.add(drafts, fault, bytes, keptLimits.rowBytes)
  }

  /** Holds `count` figures or prices. */
  hold(drafts: Drafts, input: HeldInput, count: number): void {
    drafts.tally.held += count
    drafts.faults.push(input.fault)
    const { documentBytes } = keptLimits
    if (!keepsRow(drafts.kept, input.fault, input.bytes, documentBytes)) return
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
