/** Bytes of UTF-8 that a close frame has room for behind its code (RFC 6455, 5.5). */
const MOST_BYTES = 123

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The reason of a close frame: an error's code, and what was wrong as far as there is room, cut at a character. */
export function closeReason(code: string, detail?: string): string {
  if (detail === undefined) return code
  const bytes = new Uint8Array(MOST_BYTES)
  const { written } = encoder.encodeInto(`${code}: ${detail}`, bytes)
  return decoder.decode(bytes.subarray(0, written))
}
