/**
 * The codes that a mistyped one may mean: those whose code or name shares the longest beginning with it. None if no one begins
 * alike.
 *
 * @param {string} text
 * @param {readonly string[]} codes
 * @param {Readonly<Record<string, string>>} [names] by code
 */
export function similarCodes(text, codes, names = {}) {
  const shared = (/** @type {string} */ code) =>
    Math.max(sharedBeginning(text, code), sharedBeginning(text, names[code] ?? ''))
  const most = Math.max(0, ...codes.map(shared))
  return most === 0 ? [] : codes.filter((code) => shared(code) === most).sort()
}

/**
 * @param {string} a
 * @param {string} b
 */
function sharedBeginning(a, b) {
  let length = 0
  while (length < b.length && b[length]?.toLowerCase() === a[length]?.toLowerCase()) length++
  return length
}
