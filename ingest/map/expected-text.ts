/** What a message must state of a series in one component: a cell of the column `states`. */
export type ExpectedText = {
  /** The texts that are expected, for people: `Exports`, or `A or B`. */
  readonly expected: string
  /** Tells whether a component may be as the message states it; undefined or '' if the message does not. */
  readonly admits: (found: string | undefined) => boolean
}

/**
 * Reads what is expected: texts separated by ` | `, of which one must be stated, with `*` for any characters. With
 * `isOptional` the message may also state nothing.
 */
export function expectedText(text: string, isOptional: boolean): ExpectedText {
  const patterns = text.split(' | ')
  return {
    expected: patterns.join(' or '),
    admits: (found = '') => (found === '' ? isOptional : patterns.some((pattern) => isLike(found, pattern))),
  }
}

/** Tells whether a text is like a pattern. A search instead of a regular expression: its time is linear in a hostile text. */
function isLike(text: string, pattern: string): boolean {
  const [first = '', ...parts] = pattern.split('*')
  const last = parts.pop()
  if (last === undefined) return text === pattern
  if (!text.startsWith(first)) return false
  let at = first.length
  for (const part of parts) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}
