/**
 * Errors of the store, with ClickHouse's own codes, so that clients treat the embedded engine and a server alike.
 * Source of the statuses: ClickHouse `src/Server/HTTP/exceptionCodeToHTTPStatus.cpp`.
 */

/** Codes that the front raises itself; the engine raises hundreds more. */
const names = {
  36: 'BAD_ARGUMENTS',
  48: 'NOT_IMPLEMENTED',
  62: 'SYNTAX_ERROR',
  73: 'UNKNOWN_FORMAT',
  89: 'UNKNOWN_COMPRESSION_METHOD',
  115: 'UNKNOWN_SETTING',
  202: 'TOO_MANY_SIMULTANEOUS_QUERIES',
  209: 'SOCKET_TIMEOUT',
  229: 'QUERY_IS_TOO_LARGE',
  236: 'ABORTED',
  243: 'NOT_ENOUGH_SPACE',
  354: 'ZLIB_INFLATE_FAILED',
  394: 'QUERY_WAS_CANCELLED',
  497: 'ACCESS_DENIED',
  516: 'AUTHENTICATION_FAILED',
  1002: 'UNKNOWN_EXCEPTION',
} as const

type FrontCode = keyof typeof names

const statuses: readonly (readonly [status: number, codes: readonly number[]])[] = [
  [400, [6, 8, 15, 25, 26, 27, 36, 38, 41, 44, 53, 62, 69, 72, 117, 354, 376, 427, 441, 456, 457, 675, 676]],
  [401, [194]],
  [403, [164, 192, 193, 497, 512, 516]],
  [404, [46, 47, 50, 56, 60, 63, 73, 78, 81, 115]],
  [408, [159]],
  [413, [229]],
  [415, [89]],
  [501, [48]],
  [503, [76, 202, 209, 236, 439]],
]
const statusOf = new Map(statuses.flatMap(([status, codes]) => codes.map((code) => [code, status] as const)))

/** A failure with its ClickHouse `code`; the message is the whole text that goes to the client, in ClickHouse's form. */
export class StoreError extends Error {
  readonly code: number
  constructor(code: number, text: string, options?: ErrorOptions) {
    super(text, options)
    this.name = 'StoreError'
    this.code = code
  }
  /** HTTP status of the answer: ClickHouse's own, except that overload is 503 and a read-only refusal 403. */
  get status(): number {
    return statusOf.get(this.code) ?? 500
  }
}

/** Builds an error of the front itself in ClickHouse's wording, so that clients can parse its code and type. */
export const refuse = (code: FrontCode, detail: string, options?: ErrorOptions): StoreError =>
  new StoreError(code, `Code: ${code}. DB::Exception: ${detail} (${names[code]})`, options)

const longestText = 16 * 1024

/**
 * Converts anything thrown to a StoreError. The engine's messages begin with `Code: <number>.`; other errors come from
 * the front or the system. `hide` is the path of a spool file, which clients must not see. Texts are cut at 16 KiB, so
 * that one frame holds them.
 */
export function toStoreError(thrown: unknown, hide?: string): StoreError {
  if (thrown instanceof StoreError) return thrown
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  if (isErrno(thrown) && (thrown.code === 'ENOSPC' || thrown.code === 'EDQUOT')) {
    return refuse(243, 'The disk that holds the store is full.', { cause: thrown })
  }
  const code = /^Code: (\d+)\./.exec(message)?.[1]
  if (code === undefined) return refuse(1002, message.slice(0, longestText), { cause: thrown })
  const text = hide === undefined ? message : message.replaceAll(hide, 'the request body')
  return new StoreError(Number(code), shorten(text), { cause: thrown })
}

/** Cuts a text in the middle, because ClickHouse puts the error's type at the end. */
function shorten(text: string): string {
  if (text.length <= longestText) return text
  return `${text.slice(0, longestText - 256)} … ${text.slice(-200)}`
}

const isErrno = (thrown: unknown): thrown is NodeJS.ErrnoException => thrown instanceof Error && 'code' in thrown

/**
 * Builds the exception block for a client that already has status 200 and some rows. ClickHouse (from 25.11) ends the
 * body with it and announces it in the header `X-ClickHouse-Exception-Tag`.
 */
export function exceptionBlock(tag: string, error: StoreError): Buffer {
  const text = `${error.message}\n`
  const length = Buffer.byteLength(text)
  return Buffer.from(`\r\n__exception__\r\n${tag}\r\n${text}${length} ${tag}\r\n__exception__\r\n`)
}
