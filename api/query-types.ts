import type { Type } from '#typebox'

/** A parsed query string: each name with its text, or a list of texts if the name is repeated. */
type Query = Record<string, unknown>

const wholeNumber = /^-?(?:0|[1-9]\d{0,14})$/

/**
 * Makes a function that converts the texts of a query string to the types of their schema: digits to a whole number, and the
 * single value of a repeatable parameter to a list. Any other text stays, for the validator to refuse. Returns undefined if the
 * schema has only texts. The cast: each property of a schema is a schema.
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
