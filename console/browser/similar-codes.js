/**
 * The codes that a mistyped one may mean: those with the same beginning, the longest first, or else all.
 *
 * @param {string} text
 * @param {readonly string[]} codes
 */
export function similarCodes(text, codes) {
  const shared = (/** @type {string} */ code) => {
    let length = 0
    while (length < code.length && code[length]?.toLowerCase() === text[length]?.toLowerCase()) length++
    return length
  }
  const most = Math.max(0, ...codes.map(shared))
  return codes.filter((code) => shared(code) === most).sort()
}
