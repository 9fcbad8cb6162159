/** Longest reason of a close frame, in bytes of UTF-8 (RFC 6455, 5.5). */
const MAX_REASON_BYTES = 123

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The reason of a close frame: the error's code, then its detail, cut between two characters if it is too long. */
export function closeReason(code: string, detail?: string): string {
  if (detail === undefined) return code
  const bytes = new Uint8Array(MAX_REASON_BYTES)
  const { written } = encoder.encodeInto(`${code}: ${detail}`, bytes)
  return decoder.decode(bytes.subarray(0, written))
}
