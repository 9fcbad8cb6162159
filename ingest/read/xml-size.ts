import { documentLimits } from '../limits.ts'
import { DocumentError } from '../source.ts'

/** Constructs that hold no elements, by their opening and closing text. */
const skipped = [
  { opening: '<!--', closing: '-->' },
  { opening: '<![CDATA[', closing: ']]>' },
  { opening: '<?', closing: '?>' },
] as const

/**
 * Counts elements, attributes and depth in one pass that builds nothing. Throws `DocumentError` `too_large`. Its counts
 * mean nothing if the text isn't well-formed; the parser then reports the fault.
 */
export function refuseTooManyElements(text: string): void {
  const { xmlElements, xmlAttributes, xmlDepth } = documentLimits
  let elements = 0
  let attributes = 0
  let depth = 0
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at)) {
    const start = at
    const whole = skipped.find(({ opening }) => text.startsWith(opening, start))
    if (whole) {
      at = text.indexOf(whole.closing, at + whole.opening.length)
      if (at < 0) return
    } else if (text[at + 1] === '/') {
      depth--
      at += 2
    } else {
      const tag = endOfTag(text, at + 1)
      elements++
      attributes += tag.attributes
      if (!tag.isEmpty) depth++
      at = tag.end
    }
    if (elements > xmlElements) throw tooLarge(`has more than ${xmlElements} elements`)
    if (attributes > xmlAttributes) throw tooLarge(`has more than ${xmlAttributes} attributes`)
    if (depth > xmlDepth) throw tooLarge(`nests elements more than ${xmlDepth} deep`)
  }
}

/** Finds the end of a start tag. `>` and `/` within a quoted value don't end it. */
function endOfTag(
  text: string,
  from: number,
): { readonly end: number; readonly attributes: number; readonly isEmpty: boolean } {
  let attributes = 0
  for (let at = from; at < text.length; at++) {
    const char = text[at]
    if (char === '>') return { end: at + 1, attributes, isEmpty: text[at - 1] === '/' }
    if (char !== '"' && char !== "'") continue
    attributes++
    at = text.indexOf(char, at + 1)
    if (at < 0) break
  }
  return { end: text.length, attributes, isEmpty: true }
}

const tooLarge = (what: string) => new DocumentError('too_large', `The document ${what}; more are not read.`)
