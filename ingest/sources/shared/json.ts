import { DocumentError } from '../../source.ts'

/** A JSON number as it was printed: `3.10` stays `3.10`. Serialises to the same text. */
export class PrintedNumber {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
  toJSON(): unknown {
    return rawJSON(this.text)
  }
}

export type Json = string | boolean | null | PrintedNumber | readonly Json[] | JsonObject
export type JsonObject = { readonly [member: string]: Json }

/** In Node 22 and not yet in TypeScript: https://tc39.es/proposal-json-parse-with-source */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }

/**
 * Parses JSON without loss: every number keeps its source text. Throws `DocumentError` `malformed_json` on anything
 * that isn't JSON, naming how it begins (an error page, a truncated answer).
 */
export function parseJson(text: string): Json {
  try {
    return JSON.parse(text, (_key, value: Json | number, context?: { readonly source?: string }): Json => {
      if (typeof value !== 'number') return value
      if (context?.source === undefined) throw new Error('JSON.parse gives no source text: Node 22 or newer is needed')
      return new PrintedNumber(context.source)
    }) as Json
  } catch (cause) {
    if (!(cause instanceof SyntaxError || cause instanceof RangeError)) throw cause
    const start = JSON.stringify(text.slice(0, 60))
    throw new DocumentError('malformed_json', `Not JSON: ${cause.message}; it begins ${start}.`, '', { cause })
  }
}

export const isObject = (json: Json | undefined): json is JsonObject =>
  typeof json === 'object' && json !== null && !Array.isArray(json) && !(json instanceof PrintedNumber)

export const isArray = (json: Json | undefined): json is readonly Json[] => Array.isArray(json)

/** The text of a string or number, as printed; undefined for anything else. */
export const printed = (json: Json | undefined): string | undefined =>
  typeof json === 'string' ? json : json instanceof PrintedNumber ? json.text : undefined
