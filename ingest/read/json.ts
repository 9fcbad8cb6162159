import { documentLimits } from '../limits.ts'
import { DocumentError } from '../source.ts'
import { wholeText } from './text.ts'

/** A JSON number as it was printed: `3.10` stays `3.10`. Serialises to the same text. */
class PrintedNumber {
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

/** Cast: Node 22 has `rawJSON`, TypeScript does not yet: https://tc39.es/proposal-json-parse-with-source */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }

/** As `parseJson`, of a text in pieces. */
export const readJson = (text: Iterable<string>): Json => parseJson(wholeText(text))

/**
 * Parses JSON without loss: every number keeps its source text. Throws `DocumentError`: `malformed_json`, with the
 * beginning of the text, for anything that isn't JSON, and for an object that states a member twice; `too_large` for too many or too deeply nested values. The cast
 * is safe because the reviver replaces every number.
 */
export function parseJson(text: string): Json {
  const stated = countMembers(text)
  let members = 0
  try {
    const json = JSON.parse(
      text,
      function (this: unknown, _key, value: Json | number, context?: { readonly source?: string }): Json {
        if (!Array.isArray(this)) members++
        if (typeof value !== 'number') return value
        if (context?.source === undefined)
          throw new Error('JSON.parse gives no source text: Node 22 or newer is needed')
        return new PrintedNumber(context.source)
      },
    ) as Json
    // The reviver is called for the root, too, as the only member of an object.
    if (stated === members - 1) return json
  } catch (cause) {
    if (!(cause instanceof SyntaxError || cause instanceof RangeError)) throw cause
    const start = JSON.stringify(text.slice(0, 60))
    const line = /\(line (\d+) column \d+\)/.exec(cause.message)?.[1]
    const location = line === undefined ? '' : `line ${line}`
    throw new DocumentError('malformed_json', `Not JSON: ${cause.message}; it begins ${start}.`, location, { cause })
  }
  throw new DocumentError('malformed_json', `An object states the member ${repeatedMember(text)} twice.`)
}

/** The first member that an object states twice, of which `JSON.parse` keeps only the last. The text is JSON. */
function repeatedMember(text: string): string {
  const open: Set<string>[] = []
  for (const [token, member] of text.matchAll(/("[^"\\]*(?:\\.[^"\\]*)*")\s*:|"[^"\\]*(?:\\.[^"\\]*)*"|[{}]/g)) {
    if (token === '{') open.push(new Set())
    else if (token === '}') open.pop()
    else if (member !== undefined) {
      const name = JSON.parse(member)
      if (open.at(-1)?.has(name)) return member
      open.at(-1)?.add(name)
    }
  }
  return ''
}

export const isObject = (json: Json | undefined): json is JsonObject =>
  typeof json === 'object' && json !== null && !Array.isArray(json) && !(json instanceof PrintedNumber)

export const isArray = (json: Json | undefined): json is readonly Json[] => Array.isArray(json)

/** Returns the printed text of a string or number; undefined for anything else. */
export const printed = (json: Json | undefined): string | undefined =>
  typeof json === 'string' ? json : json instanceof PrintedNumber ? json.text : undefined

/** Members of an object that are none of the named ones, as texts: what a reader does not know and may be a dimension. */
export const otherMembers = (object: JsonObject, known: ReadonlySet<string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(object).flatMap(([name, member]) =>
      known.has(name) ? [] : [[name, printed(member)?.trim() ?? JSON.stringify(member)]],
    ),
  )

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b])
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d])

/**
 * Counts values and their depth before anything is built, and returns the number of objects' members. Its counts mean
 * nothing if the text isn't JSON.
 */
function countMembers(text: string): number {
  let members = 0
  let values = 1
  let depth = 0
  let deepest = 0
  let isText = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isText) {
      if (code === BACKSLASH) at++
      else if (code === QUOTE) isText = false
    } else if (code === QUOTE) isText = true
    else if (code === COMMA) values++
    else if (code === COLON) members++
    else if (OPENING.has(code)) {
      values++
      deepest = Math.max(deepest, ++depth)
    } else if (CLOSING.has(code)) depth--
  }
  const { jsonValues, jsonDepth } = documentLimits
  if (values > jsonValues)
    throw new DocumentError('too_large', `The document has ${values} values; at most ${jsonValues} are read.`)
  if (deepest > jsonDepth)
    throw new DocumentError('too_large', `Values are nested ${deepest} deep; at most ${jsonDepth} levels are read.`)
  return members
}
