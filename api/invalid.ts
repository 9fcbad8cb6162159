import { Instant, SequenceOrInstant } from '../contracts/instant.ts'
import { ProblemError } from '../contracts/problems.ts'
import * as scalars from '../contracts/scalars.ts'
import { otherUnitHint } from '../domain/other-unit.ts'
import { currencyCodes, suggestedCountry, suggestion } from './known-codes.ts'
import { SHOWN_LENGTH, shown } from './refusals.ts'

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

/** The part of a request that a value came from. */
export type InputPart = 'querystring' | 'params' | 'body'

const parts = {
  querystring: { code: 'invalid_query', name: 'query parameter' },
  params: { code: 'invalid_path', name: 'path parameter' },
  body: { code: 'invalid_body', name: 'body member' },
} as const

/**
 * Turns the validator's faults into a problem. Its detail is one sentence that names the parameter and what is wrong with it.
 * `name` is the caller's word for a parameter, such as "argument" over MCP.
 */
export function invalid(faults: readonly InputFault[], part: InputPart, name: string = parts[part].name): ProblemError {
  // The validator reports the fault of a union after those of its members. The union's says more.
  const fault = faults.find(({ keyword }) => keyword === 'anyOf') ?? faults[0]
  return new ProblemError(parts[part].code, fault ? sentence(fault, name) : `a ${name} is not valid`)
}

function sentence(fault: InputFault, name: string): string {
  const { keyword, instancePath, params, data, parentSchema } = fault
  if (keyword === 'additionalProperties') {
    const known = Object.keys(parentSchema?.properties ?? {})
    const others = known.length > 0 ? `Known: ${known.join(', ')}.` : 'This operation takes none.'
    return `Unknown ${name} ${shown(params.additionalProperty)}. ${others}`
  }
  if (instancePath === '' && keyword === 'type') return 'the body is missing, or is not a JSON object'
  if (keyword === 'required') return `${name} ${params.missingProperty} is missing`
  const at = `${name} ${instancePath.slice(1).split('/')[0]}`
  const value = shown(data)
  if (Array.isArray(data) && (keyword === 'type' || keyword === 'anyOf')) return `${at} is given more than once`
  switch (keyword) {
    case 'pattern':
      return `${at}: ${value} is not ${expected(String(params.pattern), parentSchema?.description)}${codeSuggestion(data, parentSchema?.description)}${instantHint(String(params.pattern), data)}`
    case 'format':
      return `${at}: ${value} is not ${params.format === 'date' ? 'a calendar date (YYYY-MM-DD)' : `a ${params.format}`}`
    case 'anyOf':
      return `${at}: ${value} is not ${oneOf(parentSchema?.anyOf?.map((member) => member.const) ?? [])}`
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
      return `${at}: ${value} is not ${params.type === 'integer' ? 'a whole number' : `of type ${params.type}`}`
    default:
      return `${at}: ${value} ${fault.message ?? 'is not valid'}`
  }
}

const oneOf = (values: readonly unknown[]): string =>
  values.length === 1 ? `${values[0]}, which is all that it can be` : `one of ${values.join(', ')}`

const expected = (pattern: string, description: string | undefined): string =>
  shapes[pattern] ?? (description ? `valid; expected: ${description}` : 'valid')

/** Suggests a valid code, by the description of the schema that a value doesn't match. */
const suggestions: ReadonlyMap<string | undefined, (text: string) => string> = new Map([
  [descriptionOf(scalars.CountryCode), (text) => suggestedCountry(text)],
  [descriptionOf(scalars.CurrencyCode), (text) => suggestion(text, currencyCodes)],
])

/** A suggestion for a wrong code, to end the sentence about it. A long text is never a mistyped code, so it gets none. */
function codeSuggestion(data: unknown, description: string | undefined): string {
  if (typeof data !== 'string' || data.length > SHOWN_LENGTH) return ''
  const question = suggestions.get(description)?.(data) ?? ''
  return question && `.${question}`
}

/** Names the unit of a time that is not written as an instant. */
const instantHint = (pattern: string, data: unknown): string => {
  const isInstant = pattern === patternOf(Instant) || pattern === patternOf(SequenceOrInstant)
  return isInstant && typeof data === 'string' ? otherUnitHint(data) : ''
}

function patternOf(schema: object): string | undefined {
  // TypeBox types leave out `pattern`.
  return (schema as { readonly pattern?: string }).pattern
}

function descriptionOf(schema: object): string | undefined {
  // TypeBox types leave out a schema's annotations.
  return (schema as { readonly description?: string }).description
}

const shapes: Readonly<Record<string, string>> = Object.fromEntries(
  (
    [
      [scalars.IsoDate, 'a day (YYYY-MM-DD)'],
      [scalars.MonthPeriod, 'a month (YYYY-MM)'],
      [scalars.QuarterPeriod, 'a quarter (YYYY-Qn)'],
      [scalars.YearOrMonthPeriod, 'a year or a month (YYYY or YYYY-MM)'],
      [scalars.AnyPeriod, 'a year, a month or a quarter (YYYY, YYYY-MM or YYYY-Qn)'],
      [Instant, 'an instant (RFC 3339) or a date; write + as %2B in an address'],
      [SequenceOrInstant, 'a sequence, an instant (RFC 3339) or a date; write + as %2B in an address'],
      [scalars.IsoDate, 'a calendar date (YYYY-MM-DD)'],
      // Currency codes have the same pattern.
      [scalars.CountryCode, 'a code of three capital letters'],
    ] as const
  ).map(([schema, shape]) => [patternOf(schema), shape]),
)
