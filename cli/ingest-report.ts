import { isHeld } from '../ingest/accept/held.ts'
import { withoutKeys } from '../ingest/mask.ts'
import { type StructureChange, structureChangeText } from '../ingest/read/format-changes.ts'
import { type DocumentReport, tallyText } from '../ingest/run.ts'
import { type Document, DocumentError, ParserUnavailable } from '../ingest/source.ts'
import { print } from './command.ts'
import { harmless } from './harmless.ts'

/**
 * Lines that `almanac ingest` prints about a document. Texts from documents are printed on one line, without control
 * characters.
 */

const SHOWN_CHARS = 300

/**
 * Text of a report: the tally, each fault with place and reason, and the number of those beyond the report's limit. `file` is the
 * document's path or address.
 */
export function reportText(report: DocumentReport, file?: string): string {
  const { dataset, url } = report.document
  const title = [dataset, file === undefined ? url : withoutKeys(file)]
    .filter((text) => text !== '')
    .map(withoutControls)
    .join('  ')
  const isWhole = report.outcome === 'accepted'
  const tally = isWhole ? report.tally : { ...report.tally, rejected: report.tally.rejected - 1 }
  const rows = report.faults.map(({ reason, detail, location }) => {
    const text = faultText({ reason, message: detail, location })
    return isHeld(reason) ? `  held for review: ${text}` : `  rejected: ${text}`
  })
  const more = tally.rejected - report.faults.filter(({ reason }) => !isHeld(reason)).length
  const rest = more > 0 ? [`  … and ${more} more rejected`] : []
  const before = tallyText(tally, '')
  const outcome = isWhole
    ? [`  ${before || 'nothing: none of its rows is a figure or price that is read'}`]
    : [`  quarantined: ${faultText(report.error)}`, ...(before === '' ? [] : [`  before that: ${before}`])]
  return [title, ...outcome, ...rows, ...rest].join('\n')
}

const PROGRESS_MS = 5_000
const MB = 1_000_000

/** Prints every five seconds, and at the end, how much of a large document was handed to the parser. */
export function readProgress(): (document: Document, bytes: number) => void {
  let printedAt = Number.NEGATIVE_INFINITY
  return ({ file, url }, bytes) => {
    const now = performance.now()
    const size = file?.size ?? 0
    if (bytes < size && now - printedAt < PROGRESS_MS) return
    printedAt = now
    print(`${withoutControls(file?.path ?? url)}: ${Math.floor(bytes / MB)} of ${Math.floor(size / MB)} MB read`)
  }
}

/** Counts the rejected rows and documents of a report by reason into `total`, those held for review excepted. */
export function addReasons(total: Map<string, number>, report: DocumentReport): void {
  for (const [reason, count] of report.reasons) if (!isHeld(reason)) total.set(reason, (total.get(reason) ?? 0) + count)
}

/** Text of rejections by reason, the most frequent first: `rejected: 30 bad_period, 1 not_a_decimal`. */
export const reasonsText = (reasons: ReadonlyMap<string, number>): string =>
  `rejected: ${[...reasons]
    .sort(([, a], [, b]) => b - a)
    .map(([reason, count]) => `${count} ${withoutControls(reason)}`)
    .join(', ')}`

/** Text about a dataset whose format has changed: since when, and what. */
export const formatChangeText = ({ at, ...change }: StructureChange & { readonly at: number }): string =>
  `since ${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC: ${withoutControls(structureChangeText(change))}`

/** Text about a document that could not be fetched or opened, or that failed because of a fault in Almanac. */
export function failureText(
  { files = [], datasets = [] }: { readonly files?: readonly string[]; readonly datasets?: readonly string[] },
  error: unknown,
): string {
  if (error instanceof DocumentError) return `not read: ${faultText(error)}`
  const what = withoutControls([...files.map(withoutKeys), ...datasets].join(' '))
  if (error instanceof ParserUnavailable)
    return `not read: ${what}: ${withoutControls(error.message)} Run it again later.`
  // Ingest throws only Errors.
  const { stack } = error as Error
  return `failed: ${what}\n${stack ?? String(error)}`
}

export const faultText = (fault: {
  readonly reason: string
  readonly message: string
  readonly location: string
}): string => {
  const { reason, message, location } = fault
  return `${reason}${location === '' ? '' : ` at ${withoutControls(location)}`}: ${withoutControls(message)}`
}

/** Shortens a text and escapes its control characters. */
export function withoutControls(text: string): string {
  const safe = harmless(text.slice(0, SHOWN_CHARS))
  return text.length > SHOWN_CHARS ? `${safe}…` : safe
}
