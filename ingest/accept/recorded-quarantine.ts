import { CatchUp } from '../../journal/catch-up.ts'
import type { Draft, TypedJournal } from '../../journal/typed.ts'
import type { Document } from '../source.ts'
import { type Approval, approvalDraft, approvalId, type HeldInput, heldAgainId } from './approval.ts'
import { inputIdOf, type RowFault, rejectedDrafts } from './rejected.ts'

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
