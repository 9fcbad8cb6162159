import { cutText } from '../cut.ts'
import { keptLimits } from '../limits.ts'
import { DocumentError, type Item } from '../source.ts'
import { openSources } from '../sources/index.ts'
import { structureOf } from '../structure.ts'
import { batchesOf } from './batches.ts'
import type { ParserAnswer, Request } from './messages.ts'

/** The parser process: parses documents, one at a time, for the service that started it, and ends with that service. */

const sources = openSources()
const waiting: Uint8Array[] = []
let wanted: { readonly request: Request & { kind: 'parse' }; received: number } | undefined
let batches: Iterator<readonly Item[]> = [][Symbol.iterator]()

process.stdin.on('data', (chunk: Uint8Array) => {
  waiting.push(chunk)
  if (wanted) wanted.received += chunk.length
  beginIfWhole()
})
process.on('message', (request: Request) => {
  if (request.kind === 'next') return answer(next)
  wanted = { request, received: waiting.reduce((bytes, chunk) => bytes + chunk.length, 0) }
  beginIfWhole()
})
process.on('disconnect', () => process.exit(0))

/** Starts parsing once all bytes of the document have arrived, and answers with its first items. */
function beginIfWhole(): void {
  if (!wanted || wanted.received < wanted.request.size) return
  const { source, document, size } = wanted.request
  wanted = undefined
  const bytes = Buffer.concat(waiting.splice(0), size)
  answer(() => {
    const parser = Object.hasOwn(sources, source) ? sources[source] : undefined
    if (!parser) throw new Error(`no source ${JSON.stringify(source)}`)
    batches = batchesOf(parser.parse({ ...document, bytes }))
    // Local files come in any form, so only what a publisher sends is compared.
    return document.retrievedAt === null ? next() : { kind: 'structure', names: structureOf(bytes) }
  })
}

function next(): ParserAnswer {
  const { value, done } = batches.next()
  if (!done) return { kind: 'items', items: value }
  batches = [][Symbol.iterator]()
  const { user, system } = process.cpuUsage()
  const usage = { cpuMs: (user + system) / 1_000, residentBytes: process.memoryUsage.rss() }
  return { kind: 'end', usage }
}

function answer(make: () => ParserAnswer): void {
  let made: ParserAnswer
  try {
    made = make()
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
