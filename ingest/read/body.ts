import { listText } from '../../domain/list-text.ts'
import { DocumentError } from '../source.ts'
import { jsonKindOf } from './json-kinds.ts'
import { isZip, readZip, type ZipEntry } from './zip.ts'

/** Names what a body really is, so that a refusal says "an HTML page" and not "cut off". */

/** Advice about a packed body. Where it can be unpacked here, it is given only if what is in it is read. */
export const UNPACK = 'unpack it first'
export const GZIP = '1f8b'

/** Kinds of files that no reader reads, by their first bytes (hexadecimal). */
const signatures: readonly (readonly [signature: string, reason: string, name: string])[] = [
  ['255044462d', 'pdf', 'a PDF'],
  [GZIP, 'gzip', `packed with gzip; ${UNPACK}`],
  ['425a68', 'packed', `packed with bzip2; ${UNPACK}`],
  ['fd377a585a00', 'packed', `packed with xz; ${UNPACK}`],
  ['28b52ffd', 'packed', `packed with zstd; ${UNPACK}`],
  ['377abcaf271c', 'packed', `a 7z archive; ${UNPACK}`],
  ['526172211a07', 'packed', `a RAR archive; ${UNPACK}`],
  [
    'd0cf11e0a1b11ae1',
    'old_excel',
    'an Excel workbook of the old kind (.xls) or another OLE file; save it as .xlsx, or take CSV',
  ],
  ['89504e47', 'image', 'an image (PNG)'],
  ['ffd8ff', 'image', 'an image (JPEG)'],
  ['47494638', 'image', 'an image (GIF)'],
  ['50415231', 'parquet', 'a Parquet file'],
  ['53514c69746520666f726d6174', 'sqlite', 'an SQLite database'],
]

const HEAD_BYTES = 8 * 1024

/** Beginning of the text, without byte order mark and white space. Unreadable bytes are replaced, as it is only named. */
const headOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes.subarray(0, HEAD_BYTES)).trimStart()

/**
 * Refuses bytes that no reader reads, whatever the source. Throws `DocumentError`, whose reason is the kind: `html_page`,
 * `pdf`, `gzip`, `packed`, `old_excel`, `image`, `parquet`, `sqlite`; `wrong_encoding`; or `wrong_line_ends`.
 */
export function refuseForeignBody(bytes: Uint8Array): void {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('hex')
  const found = signatures.find(([signature]) => start.startsWith(signature))
  if (found) throw new DocumentError(found[1], `The document is ${found[2]}.`)
  const utf16 = utf16Name(bytes)
  if (utf16 !== undefined) throw new DocumentError('wrong_encoding', `The document is ${utf16}.`, 'line 1')
  const head = headOf(bytes)
  if (isHtml(head)) throw new DocumentError('html_page', `The document is ${htmlName(head)}.`)
  // JSON and XML may have any line ends, and a packed file any bytes.
  const isRows = !isZip(bytes) && !head.includes('\0') && syntaxOf(head) === 'text'
  if (isRows && !head.includes('\n') && /\r./.test(head))
    throw new DocumentError(
      'wrong_line_ends',
      'The lines end with CR alone; save the document with LF or CRLF.',
      'line 1',
    )
}

/** Name of a UTF-16 text, with what to do; undefined for anything else. */
export function utf16Name(bytes: Uint8Array): string | undefined {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    return 'UTF-16; save it as UTF-8'
  return /^(?:00(?!00)..|(?!00)..00){4}/.test(Buffer.from(bytes.subarray(0, 8)).toString('hex'))
    ? 'UTF-16 without a byte order mark; save it as UTF-8'
    : undefined
}

/** Says in words what a body is, for example `JSON of the World Bank's API`. */
export function bodyName(bytes: Uint8Array): string {
  if (isZip(bytes)) return zipNameOf(bytes)
  const head = headOf(bytes)
  if (head.includes('\0')) return 'binary'
  return textName(head)
}

/** Name of the file about a table of Statistics Canada, in the archive of the table. Such an archive is read as it is. */
export const statCanMetadata = /^(\d{8})_MetaData\.csv$/

const SHOWN_ENTRIES = 3

function zipNameOf(bytes: Uint8Array): string {
  try {
    return zipName(readZip(bytes))
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    return 'a zip archive that is damaged or too large'
  }
}

/** As `bodyName`, from the entries of an archive. */
export function zipName(entries: readonly ZipEntry[]): string {
  const names = entries.map(({ name }) => name)
  if (names.includes('xl/workbook.xml')) return 'a workbook; take the same data as CSV, if the publisher offers it'
  if (names.includes('[Content_Types].xml')) return 'an Office document'
  if (names.some((name) => statCanMetadata.test(name))) return 'a zip archive of a table of Statistics Canada'
  const shown = names.slice(0, SHOWN_ENTRIES).map((name) => JSON.stringify(name))
  return `a zip archive of ${listText(shown, names.length)}; ${UNPACK}`
}

/** As `bodyName`, from the beginning of a text. */
export function textName(text: string): string {
  const head = text.slice(0, HEAD_BYTES).trimStart()
  if (head === '') return 'empty'
  if (isHtml(head)) return htmlName(head)
  if (head.startsWith('<')) return xmlName(head)
  if (head.startsWith('{') || head.startsWith('[')) return jsonName(head)
  return csvName(head)
}

/** The syntax that a text begins in. */
export const syntaxOf = (text: string): 'XML' | 'JSON' | 'text' => {
  const first = /^\s*(.)/.exec(text.slice(0, HEAD_BYTES))?.[1]
  return first === '<' ? 'XML' : first === '{' || first === '[' ? 'JSON' : 'text'
}

const isHtml = (head: string): boolean => /^(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b/is.test(head)

function htmlName(head: string): string {
  const title = /<title[^>]*>([^<]{1,200})/i.exec(head)?.[1]?.replace(/\s+/g, ' ').trim()
  const what = /type\s*=\s*["']?password|\b(?:log|sign)[ -]?in\b/i.test(head)
    ? 'an HTML page to sign in'
    : 'an HTML page'
  return title ? `${what}, titled ${JSON.stringify(title)}` : what
}

function jsonName(head: string): string {
  const known = jsonKindOf(head)
  if (known) return known.isError ? `${known.name}: ${head.slice(0, 200)}` : known.name
  const members = new Set([...head.matchAll(/"([^"\\]{1,40})"\s*:/g)].map(([, member]) => member))
  const names = [...members].slice(0, 6).join(', ')
  return names === '' ? 'JSON' : `JSON with the members ${names}`
}

function xmlName(head: string): string {
  const [, root = ''] = /<((?:\w[\w.-]*:)?\w[\w.-]*)[\s/>]/.exec(head.replace(/<!--.*?-->/gs, '')) ?? []
  const name = root.replace(/^.*:/, '')
  if (/<(?:\w+:)?Fault\b/.test(head)) return 'an error message in SOAP'
  if (/sdmx\.org\/.*message/i.test(head))
    return name === 'Error' ? 'an error message in SDMX-ML' : `SDMX-ML (${name || 'without a root element'})`
  if (/eurofxref/.test(head)) return "the ECB's file of reference rates"
  if (name === 'rss' || name === 'feed') return 'a news feed'
  return name === '' ? 'XML without a root element' : `XML with the root element ${name}`
}

const SHOWN_COLUMNS = 6

function csvName(head: string): string {
  const [line = ''] = head.split(/\r?\n/, 1)
  const cells = line.split(/[,;\t]/).map((cell) => cell.trim().slice(0, 40))
  if (cells.length < 2) return `text that begins ${JSON.stringify(line.slice(0, 60))}`
  return `a table with the columns ${listText(cells.slice(0, SHOWN_COLUMNS), cells.length)}`
}
