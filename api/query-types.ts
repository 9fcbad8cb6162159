import type Type from 'typebox'

/** A query string as parsed: names to one text, or to several where a name is repeated. */
type Query = Record<string, unknown>

const wholeNumber = /^-?(?:0|[1-9]\d{0,14})$/

/**
 * Gives the texts of a query string the types that their schema has, and nothing more: a whole number where one is
 * written, a list of one for a repeatable parameter given once. What fits neither stays text, for the validator to name.
 * Undefined where a schema holds only texts.
 */
export function queryTypes(schema: Type.TObject): ((query: Query) => void) | undefined {
  const typed = Object.entries(schema.properties as Record<string, { readonly type?: string }>)
  const numbers = typed.filter(([, { type }]) => type === 'integer').map(([name]) => name)
  const lists = typed.filter(([, { type }]) => type === 'array').map(([name]) => name)
  if (numbers.length + lists.length === 0) return undefined
  return (query) => {
    for (const name of numbers) {
      const text = query[name]
      if (typeof text === 'string' && wholeNumber.test(text)) query[name] = Number(text)
    }
    for (const name of lists) {
      const text = query[name]
      if (typeof text === 'string') query[name] = [text]
    }
  }
}
