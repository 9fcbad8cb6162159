import { documentLimits } from '../../limits.ts'
import { rejectOf } from '../../read/items.ts'
import { DocumentError, type Reject } from '../../source.ts'
import { headLineOf, readCsvHead, readCsvRows } from './csv-syntax.ts'
import { type FileRow, faultOf, type Head, isKind, isRequired, type Kind, kinds, type Opening } from './members.ts'
import { readJsonMembers, readNdjsonRows } from './ndjson-syntax.ts'

/**
 * Reads a file's kind and rows, and checks every row against the schema of its kind. Throws `DocumentError` with line
 * and member: what `readHead` throws, `truncated`, `too_large` or `empty`; for a CSV's header row `unknown_member`,
 * `duplicate_member`, `missing_member` or `bad_member`; and what `readTable` throws.
 */
export function readFile(text: string): { readonly kind: Kind; readonly rows: readonly (FileRow | Reject)[] } {
  const opening = openFile(text)
  const { kind, syntax } = opening
  if (!text.endsWith('\n'))
    throw new DocumentError('truncated', 'The last row has no line end, so it may be cut; add one if it is whole.')
  refuseTooManyRows(opening)
  const rows = syntax === 'csv' ? readCsvRows(opening) : readNdjsonRows(opening)
  const stated = opening.members.rows
  if (stated !== undefined && Number(stated) !== rows.length)
    throw new DocumentError('truncated', `The file has ${rows.length} rows; its head says ${stated}.`, 'rows')
  if (rows.length === 0) throw new DocumentError('empty', 'The file has no rows.')
  return { kind, rows: rows.map((row) => checkRow(kind, row)) }
}

/**
 * Reads a file's kind and head. Throws `DocumentError` with line and member: `unknown_format`, `bad_head`,
 * `missing_member`, `unknown_member`, `duplicate_member`, `bad_member` or `malformed_json`.
 */
export const readHead = (text: string): Head => openFile(text)

/** Longest head that is read. It has at most one line per member. */
const MAX_HEAD_LINES = 64

function openFile(text: string): Opening {
  const lines = text.split('\n', MAX_HEAD_LINES).map((line) => line.trim())
  const syntax = lines[0]?.startsWith('{') ? 'ndjson' : 'csv'
  const end = lines.findIndex((line) => !line.startsWith('#'))
  const count = syntax === 'ndjson' ? 1 : end < 0 ? lines.length : end
  if (syntax === 'ndjson' && !/"almanac"\s*:/.test(lines[0] ?? '')) throw unknownFormat(lines[0])
  const head = syntax === 'ndjson' ? readJsonMembers(lines[0] ?? '', 1) : readCsvHead(lines.slice(0, count))
  const { almanac: kind = '', ...members } = head
  if (!isKind(kind) || Object.keys(head)[0] !== 'almanac') throw unknownFormat(lines[0])
  const fault = faultOf(kind, 'part', members)
  if (fault) {
    const line = syntax === 'ndjson' ? 1 : headLineOf(lines, fault.member)
    throw new DocumentError(fault.reason, fault.detail, `line ${line}, ${fault.member}`)
  }
  const missing = kinds[kind].headOnly.find((name) => isRequired(kind, name) && !Object.hasOwn(members, name))
  if (missing) throw new DocumentError('missing_member', `The head has no ${missing}.`, `line ${count}, ${missing}`)
  return { kind, members, syntax, body: text.slice(startOfLine(text, count)), firstLine: count + 1 }
}

function unknownFormat(line = ''): DocumentError {
  const known = Object.keys(kinds).map((kind) => `"almanac: ${kind}"`)
  const detail = `The first line is ${JSON.stringify(line.slice(0, 80))}; it must say ${known.join(' or ')}.`
  return new DocumentError('unknown_format', detail, 'line 1')
}

/** Returns the index of the first character after `count` lines. */
function startOfLine(text: string, count: number): number {
  let start = 0
  for (let line = 0; line < count; line++) {
    const end = text.indexOf('\n', start)
    if (end < 0) return text.length
    start = end + 1
  }
  return start
}

function refuseTooManyRows({ syntax, body }: Opening): void {
  // The header row of a CSV is none.
  let rows = syntax === 'csv' ? -1 : 0
  for (let at = body.indexOf('\n'); at >= 0; at = body.indexOf('\n', at + 1)) rows++
  if (rows <= documentLimits.fileRows) return
  throw new DocumentError(
    'too_large',
    `The file has ${rows} rows; at most ${documentLimits.fileRows} are read. Split it into several files.`,
  )
}

function checkRow(kind: Kind, row: FileRow | Reject): FileRow | Reject {
  const fault = row.kind === 'row' ? faultOf(kind, 'whole', row.members) : undefined
  if (row.kind !== 'row' || !fault) return row
  return rejectOf(fault.reason, fault.detail, `line ${row.line}, ${fault.member}`, row.text)
}
