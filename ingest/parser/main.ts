import { readSync } from 'node:fs'
import { cutText } from '../cut.ts'
import { batchLimits, keptLimits } from '../limits.ts'
import { structureOf } from '../read/format-changes.ts'
import { DocumentError, type Item, type Reject } from '../source.ts'
import { openSource } from '../sources/index.ts'
import type { ParserAnswer, Request } from './parser-process.ts'

/** The parser process: parses documents, one at a time, for the service that started it, and ends with that service. */

const PIECE_BYTES = 256 * 1024
let batches: Iterator<readonly Item[]> = [][Symbol.iterator]()

process.on('message', (request: Request) => answer(() => (request.kind === 'next' ? next() : begin(request))))
process.on('disconnect', () => process.exit(0))

async function begin({
  source,
  document,
  size,
  inPieces,
}: Request & { readonly kind: 'parse' }): Promise<ParserAnswer> {
  const bytes = inPieces ? undefined : readWhole(size)
  const parser = await openSource(source)
  if (!parser) throw new Error(`no source ${JSON.stringify(source)}`)
  if (bytes) batches = batchesOf(parser.parse({ ...document, bytes }))
  else if (parser.parsePieces) batches = batchesOf(parser.parsePieces(document, readPieces(size)))
  else throw new Error(`source ${source} does not read documents in pieces`)
  // Local files come in any form, so only what a publisher sends is compared. Only files are read in pieces.
  return bytes && document.retrievedAt !== null ? { kind: 'structure', names: structureOf(bytes) } : next()
}

function readWhole(size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size)
  for (let at = 0; at < size; ) at += readInput(bytes.subarray(at))
  return bytes
}

/** Yields the next `size` bytes of standard input. A piece is valid until the next one. */
function* readPieces(size: number): Generator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(PIECE_BYTES)
  for (let left = size; left > 0; ) {
    const read = readInput(buffer.subarray(0, left))
    left -= read
    yield buffer.subarray(0, read)
  }
}

/** Waits for bytes without doing other work, because parsers are synchronous. Returns how many it has read. */
function readInput(into: Uint8Array): number {
  const read = readSync(0, into)
  // The service has ended, or has no more bytes and knows why.
  if (read === 0) process.exit(0)
  return read
}

function next(): ParserAnswer {
  const { value, done } = batches.next()
  if (!done) return { kind: 'items', items: value }
  batches = [][Symbol.iterator]()
  const { user, system } = process.cpuUsage()
  const usage = { cpuMs: (user + system) / 1_000, residentBytes: process.memoryUsage.rss() }
  return { kind: 'end', usage }
}

async function answer(make: () => ParserAnswer | Promise<ParserAnswer>): Promise<void> {
  let made: ParserAnswer
  try {
    made = await make()
  } catch (error) {
    made = answerOf(error)
  }
  process.send?.(made)
}

/** Answer for an error. Running out of memory, string length or stack is the document's fault, any other error ours. */
function answerOf(error: unknown): ParserAnswer {
  if (error instanceof DocumentError) {
    const detail = cutText(error.message, keptLimits.detail)
    return { kind: 'refused', reason: error.reason, detail, location: cutText(error.location, keptLimits.location) }
  }
  // Cast: parsers and the platform throw only Errors.
  const { name, message, stack } = error as Error
  if (name === 'RangeError' && /allocation failed|Invalid .*length|string length/i.test(message))
    return {
      kind: 'refused',
      reason: 'out_of_memory',
      detail: `Reading it takes too much memory: ${message}`,
      location: '',
    }
  if (name === 'RangeError' && /call stack/i.test(message))
    return { kind: 'refused', reason: 'too_large', detail: 'It is nested too deeply to be read.', location: '' }
  return { kind: 'failed', detail: cutText(stack ?? String(error), keptLimits.detail) }
}

/**
 * Groups a document's items, in order, into batches of bounded size. Cuts the texts of rejected rows to the size that
 * quarantine keeps, and omits them beyond its total for one document: a row with many bad cells comes once per cell.
 */
function* batchesOf(items: Iterable<Item>): Generator<readonly Item[]> {
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
