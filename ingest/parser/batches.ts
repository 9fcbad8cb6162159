import { cutText } from '../cut.ts'
import { batchLimits, keptLimits } from '../limits.ts'
import type { Item, Reject } from '../source.ts'

/**
 * Groups a document's items, in order, into batches of bounded size. Cuts the texts of rejected rows to the size that
 * quarantine keeps, and omits them beyond its total for one document: a row with many bad cells comes once per cell.
 */
export function* batchesOf(items: Iterable<Item>): Generator<readonly Item[]> {
  let batch: Item[] = []
  let chars = 0
  let keptChars = 0
  for (const item of items) {
    const bounded = item.kind === 'reject' ? boundedReject(item, keptChars < keptLimits.rowsBytes) : boundedItem(item)
    if (bounded.kind === 'reject') keptChars += bounded.text.length
    batch.push(bounded)
    chars += charsOf(bounded)
    if (batch.length < batchLimits.items && chars < batchLimits.chars) continue
    yield batch
    batch = []
    chars = 0
  }
  if (batch.length > 0) yield batch
}

const boundedReject = (reject: Reject, isTextKept: boolean): Reject => ({
  ...reject,
  detail: cutText(reject.detail, keptLimits.detail),
  location: cutText(reject.location, keptLimits.location),
  text: isTextKept ? cutText(reject.text, keptLimits.rowBytes) : '',
})

/** Replaces an item that is larger than any publisher's by a `Reject`. */
function boundedItem(item: Exclude<Item, Reject>): Item {
  const chars = charsOf(item)
  if (chars <= batchLimits.itemChars) return item
  return boundedReject(
    {
      kind: 'reject',
      reason: 'too_large',
      detail: `A ${item.kind} of ${chars} characters; at most ${batchLimits.itemChars} are read.`,
      location: item.location,
      text: JSON.stringify(item),
    },
    true,
  )
}

/** Total number of characters in all texts of a value. */
function charsOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  let chars = 0
  for (const [name, member] of Object.entries(value)) chars += name.length + charsOf(member)
  return chars
}
