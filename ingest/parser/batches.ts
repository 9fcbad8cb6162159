import { cutText } from '../cut.ts'
import { batchLimits, keptLimits } from '../limits.ts'
import type { Item, Reject } from '../source.ts'

/**
 * A document's items in their order, in batches of bounded size. Texts of rejected rows are cut to what quarantine keeps,
 * and left out once they are more than it keeps of one document: a row of many bad cells comes with each of them.
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

/** No publisher has figures or prices of this size; one that has is not given on, and says so. */
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

/** Characters in all texts of a value. */
function charsOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  let chars = 0
  for (const [name, member] of Object.entries(value)) chars += name.length + charsOf(member)
  return chars
}
