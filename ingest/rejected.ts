import { createHash } from 'node:crypto'
import type { Rejected } from '../contracts/records.ts'
import type { Draft } from '../journal/typed.ts'
import type { Document, Reject } from './source.ts'

export type Fault = Pick<Reject, 'reason' | 'detail' | 'location'>
type Origin = Pick<Document, 'source' | 'dataset' | 'url' | 'retrievedAt' | 'sha256'>

/** Bytes of a rejected input in one record; larger ones are split. */
const PART_BYTES = 512 * 1024

/** Names a rejected input: the same fault at the same place of the same document has the same id. */
export const inputIdOf = ({ sha256 }: Pick<Origin, 'sha256'>, { reason, location }: Fault): string =>
  createHash('sha256').update(`${sha256} ${reason} ${location}`).digest('hex')

/** The quarantine records of a rejected input. `at`: UTC milliseconds. */
export function rejectedDrafts(origin: Origin, fault: Fault, bytes: Uint8Array, at: number): Draft<'quarantine'>[] {
  const input_id = inputIdOf(origin, fault)
  const parts = Math.max(1, Math.ceil(bytes.length / PART_BYTES))
  return Array.from({ length: parts }, (_, i) => {
    const value: Rejected = {
      input_id,
      source: origin.source,
      dataset: origin.dataset,
      url: origin.url,
      reason: fault.reason,
      detail: fault.detail,
      location: fault.location,
      retrieved_at: origin.retrievedAt,
      recorded_at: new Date(at).toISOString(),
      sha256: origin.sha256,
      part: i + 1,
      parts,
      bytes: Buffer.from(bytes.subarray(i * PART_BYTES, (i + 1) * PART_BYTES)),
    }
    return { value, id: `${input_id}/${i + 1}`, at }
  })
}
