/** Shapes of API keys in a text, and their removal from what is logged or sent back. */

/** A key of a client that sends it in a header: `alm_live_` or `alm_test_` and 36 base62 characters. */
export const keyShape = /^alm_(live|test)_[0-9A-Za-z]{36}$/

/** A read-only key that may stand in an address: 32 lower-case letters and digits, the first three `alm`. */
export const addressKeyShape = /^alm[0-9a-z]{29}$/

/**
 * Both shapes within a text. A key that was cut or mistyped is found as well, because most of it may be right. What begins
 * like a read-only key counts from 32 characters on, so that words such as `almanac` stay.
 */
const keysInText = /alm_(?:live|test)_[0-9A-Za-z]+|(?<![0-9A-Za-z_])alm[0-9A-Za-z]{29,}/gi

const HIDDEN_KEY = '[key]'

/** The text with every key in it replaced. Everything that could repeat what a client sent goes through here. */
export const hideKeys = (text: string): string => text.replace(keysInText, HIDDEN_KEY)

/** A path without keys, also if characters of a key in it are percent-encoded. */
export function hideKeysInPath(path: string): string {
  if (!path.includes('%')) return hideKeys(path)
  try {
    const decoded = decodeURIComponent(path)
    const hidden = hideKeys(decoded)
    return hidden === decoded ? path : encodeURI(hidden)
  } catch {
    // The router refuses a bad percent-encoding.
    return hideKeys(path)
  }
}
