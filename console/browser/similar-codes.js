/**
 * The codes that a mistyped one may mean: those that share the longest beginning with it. None if no code begins alike.
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
  return most === 0 ? [] : codes.filter((code) => shared(code) === most).sort()
}
