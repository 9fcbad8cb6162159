import { CatchUp, type TypedJournal } from '../../journal/typed.ts'
import { keptLimits } from '../limits.ts'
import type { Document } from '../source.ts'
import { APPROVED, type Approval, approvalId, type HeldInput, heldAgainId } from './held.ts'
import { inputIdOf, keepIfRoom, type Origin, type RowFault, rejectedDrafts } from './rejected.ts'
import type { Drafts } from './transaction.ts'

/** The document whose items are decided on, what is in quarantine, and the approval if a person has given one. */
export type DecidedDocument = {
  readonly document: Document
  readonly inputs: RecordedQuarantine
  readonly approval: Approval | undefined
}

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

  /** Whether the first input of a transaction whose outcome was unknown is in the journal. */
  isRecorded({ quarantine: [input] }: Drafts): boolean {
    return input !== undefined && this.#ids.has(input.value.input_id)
  }

  reject(document: Document, drafts: Drafts, fault: RowFault, bytes: Uint8Array): void {
    drafts.tally.rejected++
    drafts.faults.push(fault)
    if (keepIfRoom(drafts.kept, fault, bytes)) this.add(document, drafts, fault, bytes, keptLimits.rowBytes)
  }

  /** Holds `count` figures or prices of a document for review. Those that were approved before are held again. */
  hold(document: Document, drafts: Drafts, input: HeldInput, count: number): void {
    const { fault, bytes } = input
    const { documentBytes } = keptLimits
    drafts.tally.held += count
    drafts.faults.push(fault)
    if (!keepIfRoom(drafts.kept, fault, bytes, documentBytes)) return
    let id = this.#idOf(input)
    while (this.#ids.has(approvalId(id))) id = heldAgainId(id)
    this.add(document, drafts, fault, bytes, documentBytes, id)
  }

  /** Adds an input with at most `limit` of its bytes, unless it is on record. Returns whether it was added. */
  add(
    origin: Origin,
    drafts: Drafts,
    fault: RowFault,
    bytes: Uint8Array,
    limit: number,
    id: string = inputIdOf(origin, fault),
  ): boolean {
    if (this.#ids.has(id)) return false
    this.#ids.add(id)
    drafts.quarantine.push(...rejectedDrafts(origin, fault, bytes, drafts.at, limit, id))
    return true
  }

  /** Records that held figures or prices were approved: by whom, why and when. Returns whether it is the first approval of them. */
  approve(document: Document, drafts: Drafts, { inputId, by, because }: Approval): boolean {
    const { source, dataset, url, sha256 } = document
    const fault = { reason: APPROVED, detail: `${by}: ${because}`, location: inputId }
    const bytes = Buffer.from(JSON.stringify({ input_id: inputId, by, because }))
    const origin = { source, dataset, url, sha256, retrievedAt: null }
    return this.add(origin, drafts, fault, bytes, bytes.length, approvalId(inputId))
  }

  /** Whether what is held in an input has been approved. */
  isApproved(input: HeldInput): boolean {
    return this.#ids.has(approvalId(this.#idOf(input)))
  }

  #idOf({ id, formerId }: HeldInput): string {
    return this.#ids.has(formerId) ? formerId : id
  }
}
