/** Shape of a key that a client sends in a header, within a text. */
const keyInText = /alm_(?:live|test)_[0-9A-Za-z]+/g

/**
 * The key in what was pasted: a key alone, in quotes, after `Bearer `, or as a line of a header, of JSON or of a shell has it.
 * Two of them are none, because it can't be told which is meant.
 *
 * @param {string} pasted
 * @returns {{ key: string } | { fault: string }}
 */
export function keyInPasted(pasted) {
  const keys = [...new Set(pasted.match(keyInText))]
  const [key] = keys
  if (keys.length > 1) return { fault: `These are ${keys.length} keys. Paste one of them.` }
  // Another text may be a read-only key, of which the service says where it belongs.
  const text = key ?? pasted.replace(/^\s*(?:Bearer\s)?["'`\s]*|["'`,;\s]+$/gi, '')
  if (/^\w+$/.test(text)) return { key: text }
  return {
    fault: 'This is no API key: one begins with alm_live_ or alm_test_, and has 45 letters, digits and underscores.',
  }
}
