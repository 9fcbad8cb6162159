import { ProblemError } from '../contracts/problems.ts'
import * as scalars from '../contracts/scalars.ts'
import { currencyCodes, suggestedCountry, suggestion } from './known-codes.ts'

/** One fault as the validator reports it (ajv, verbose). */
export type InputFault = {
  readonly keyword: string
  readonly instancePath: string
  readonly params: Readonly<Record<string, unknown>>
  readonly data?: unknown
  readonly parentSchema?: {
    readonly description?: string
    readonly properties?: object
    readonly anyOf?: readonly { readonly const?: unknown }[]
  }
  readonly message?: string
}

/** Where a value came from. */
export type InputPart = 'querystring' | 'params' | 'body'

const parts = {
  querystring: { code: 'invalid_query', name: 'query parameter' },
  params: { code: 'invalid_path', name: 'path parameter' },
  body: { code: 'invalid_body', name: 'body member' },
} as const

/**
 * The problem that a validator's faults are: one sentence that names the parameter and what is wrong with it. `name` is
 * what its caller knows a parameter as.
 */
export function invalid(faults: readonly InputFault[], part: InputPart, name: string = parts[part].name): ProblemError {
  // The fault of a union is reported after those of its members, and says more than they do.
  const fault = faults.find(({ keyword }) => keyword === 'anyOf') ?? faults[0]
  return new ProblemError(parts[part].code, fault ? sentence(fault, name) : `a ${name} is not valid`)
}

function sentence(fault: InputFault, name: string): string {
  const { keyword, instancePath, params, data, parentSchema } = fault
  if (keyword === 'additionalProperties') {
    const known = Object.keys(parentSchema?.properties ?? {})
    const others = known.length > 0 ? `known here: ${known.join(', ')}` : 'none is known here'
    return `${name} ${shown(params.additionalProperty)} is not known; ${others}`
  }
  if (instancePath === '' && keyword === 'type') return 'the body is missing, or is not a JSON object'
  if (keyword === 'required') return `${name} ${params.missingProperty} is missing`
  const at = `${name} ${instancePath.slice(1).split('/')[0]}`
  const value = shown(data)
  switch (keyword) {
    case 'pattern':
      return `${at}: ${value} is not ${expected(String(params.pattern), parentSchema?.description)}${meantCode(data, parentSchema?.description)}`
    case 'anyOf':
      return `${at}: ${value} is not one of ${parentSchema?.anyOf?.map((member) => member.const).join(', ')}`
    case 'minimum':
      return `${at}: ${value} is less than ${params.limit}`
    case 'maximum':
      return `${at}: ${value} is more than ${params.limit}`
    case 'minLength':
      return `${at} is empty`
    case 'maxLength':
      return `${at} is longer than ${params.limit} characters`
    case 'maxItems':
      return `${at} is given more than ${params.limit} times`
    case 'type':
      if (Array.isArray(data)) return `${at} is given more than once`
      return `${at}: ${value} is not ${params.type === 'integer' ? 'a whole number' : `of type ${params.type}`}`
    default:
      return `${at}: ${value} ${fault.message ?? 'is not valid'}`
  }
}

const expected = (pattern: string, description: string | undefined): string =>
  shapes[pattern] ?? (description ? `right; expected: ${description}` : 'of the right form')

/** Asks for the code that was meant, by the description of the schema that a value doesn't fit. */
const suggestions: ReadonlyMap<string | undefined, (text: string) => string> = new Map([
  [descriptionOf(scalars.CountryCode), (text) => suggestedCountry(text)],
  [descriptionOf(scalars.CurrencyCode), (text) => suggestion(text, currencyCodes)],
])

/** The end of a sentence about a code that isn't one. Only a short text can have been meant for one. */
function meantCode(data: unknown, description: string | undefined): string {
  if (typeof data !== 'string' || data.length > SHOWN_LENGTH) return ''
  const question = suggestions.get(description)?.(data) ?? ''
  return question && `.${question}`
}

function descriptionOf(schema: object): string | undefined {
  return (schema as { readonly description?: string }).description
}

/** Longest value that a sentence shows whole, in characters. */
const SHOWN_LENGTH = 80

/** A value as it may stand in a sentence, whatever it is, however long and however deep. */
export const shown = (value: unknown): string => {
  const text = value === undefined ? 'undefined' : jsonUpTo(value, SHOWN_LENGTH)
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH - 3)}…` : text
}

/**
 * The JSON text of a JSON value, written only as far as `room` characters: a text that is longer than that is incomplete.
 * Each level of nesting takes a character, so that the depth of the value bounds nothing, unlike with JSON.stringify,
 * which runs out of stack some thousand levels down.
 */
function jsonUpTo(value: unknown, room: number): string {
  if (room <= 0) return ''
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const isList = Array.isArray(value)
  let text = isList ? '[' : '{'
  for (const [name, item] of Object.entries(value)) {
    if (text.length > room) break
    if (text.length > 1) text += ','
    if (!isList) text += `${JSON.stringify(name)}:`
    text += jsonUpTo(item, room - text.length)
  }
  return text + (isList ? ']' : '}')
}

const shapes: Readonly<Record<string, string>> = Object.fromEntries(
  (
    [
      [scalars.MonthPeriod, 'a month (YYYY-MM)'],
      [scalars.QuarterPeriod, 'a quarter (YYYY-Qn)'],
      [scalars.YearOrMonthPeriod, 'a year or a month (YYYY or YYYY-MM)'],
      [scalars.AnyPeriod, 'a year, a month or a quarter (YYYY, YYYY-MM or YYYY-Qn)'],
      // The pattern of country and currency codes is the same one.
      [scalars.CountryCode, 'a code of three capital letters'],
    ] as const
  ).map(([schema, shape]) => [(schema as { pattern?: string }).pattern, shape]),
)
