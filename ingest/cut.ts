const MARK = '…[cut]'
const MARK_BYTES = Buffer.byteLength(MARK)

/** The text, or as many whole characters of it as fit into `bytes` of UTF-8 with a mark at the end that says so. */
export function cutText(text: string, bytes: number): string {
  // No character takes more than 3 bytes a UTF-16 unit, so most texts need no count.
  if (text.length * 3 <= bytes || (text.length <= bytes && Buffer.byteLength(text) <= bytes)) return text
  return startOf(text, bytes - MARK_BYTES) + MARK
}

/** As many whole characters from the start as fit into `bytes` of UTF-8. */
export function startOf(text: string, bytes: number): string {
  const { read } = new TextEncoder().encodeInto(text.slice(0, bytes), new Uint8Array(Math.max(0, bytes)))
  const isSplit = /[\ud800-\udbff]/.test(text.charAt(read - 1)) && /[\udc00-\udfff]/.test(text.charAt(read))
  return text.slice(0, isSplit ? read - 1 : read)
}

/** The first bytes, at most `limit`; a character of UTF-8 that would be split is left out. */
export function startOfBytes(bytes: Uint8Array, limit: number): Uint8Array {
  if (bytes.length <= limit) return bytes
  let end = limit
  // At most three continuation bytes belong to a character; more of them are no UTF-8, and are cut anywhere.
  while (end > limit - 3 && isContinuation(bytes[end])) end--
  return bytes.subarray(0, isContinuation(bytes[end]) ? limit : end)
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80
