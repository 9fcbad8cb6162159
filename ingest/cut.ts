const MARK = '…[cut]'
const MARK_BYTES = Buffer.byteLength(MARK)

/** Returns the text, or as many whole characters as fit into `bytes` of UTF-8 together with a mark of the cut. */
export function cutText(text: string, bytes: number): string {
  // A UTF-16 unit takes at most 3 bytes of UTF-8, so the bytes of most texts need no count.
  if (text.length * 3 <= bytes || (text.length <= bytes && Buffer.byteLength(text) <= bytes)) return text
  return startOf(text, bytes - MARK_BYTES) + MARK
}

/** Returns as many whole characters from the start as fit into `bytes` of UTF-8. */
export function startOf(text: string, bytes: number): string {
  const { read } = new TextEncoder().encodeInto(text.slice(0, bytes), new Uint8Array(Math.max(0, bytes)))
  const isSplit = /[\ud800-\udbff]/.test(text.charAt(read - 1)) && /[\udc00-\udfff]/.test(text.charAt(read))
  return text.slice(0, isSplit ? read - 1 : read)
}

/** Returns the first bytes, at most `limit`. Leaves out a UTF-8 character that would be split. */
export function startOfBytes(bytes: Uint8Array, limit: number): Uint8Array {
  if (bytes.length <= limit) return bytes
  let end = limit
  // A character has at most three continuation bytes. A longer run of them is no UTF-8 and may be cut anywhere.
  while (end > limit - 3 && isContinuation(bytes[end])) end--
  return bytes.subarray(0, isContinuation(bytes[end]) ? limit : end)
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80
