import { Compile, Type } from '#typebox'
import { type Indicator, indicatorCodes, indicators } from '../../../contracts/indicators.ts'
import { Cpi, SpotPrice } from '../../../contracts/resources.ts'
import { AnyPeriod, CountryCode, IsoDate, PositiveDecimal, strict } from '../../../contracts/scalars.ts'

/**
 * Members of Almanac's own file format (docs/series-file.md): one schema per kind of file. The head and rows of both
 * syntaxes use it. Every value is text.
 */

const line = (description: string) => Type.String({ pattern: '^\\S(?:.*\\S)?$', maxLength: 500, description })
const code = (pattern: string, description: string) => Type.String({ pattern, maxLength: 500, description })
/** Pages show an address as a link, so it must have no scheme that a browser executes, such as javascript:. */
const address = (description: string) =>
  code('^(?:https?://[^\\s/]|file:|urn:)\\S*$', `${description}: http://, https://, file: or urn:`)
const oneOf = <T extends string>(values: readonly T[]) =>
  Type.Unsafe<T>({ type: 'string', enum: values, description: `One of ${values.join(', ')}` })
/** Number as text. The schema does not check it; `canonicalDecimal` does. */
const printed = Type.String({ description: 'Decimal, as the publisher prints it' })

/** Where the figures of a row were taken from, if not from the publisher's address by this program. */
const origin = {
  retrieved_at: Type.Optional(line('Instant with its offset from UTC at which the document was fetched')),
  sha256: Type.Optional(code('^[0-9a-f]{64}$', 'SHA-256 of the document, 64 hexadecimal digits in lower case')),
  copy_holder: Type.Optional(line('Keeper of the copy of the document, e.g. github.com/OWNER/NAME')),
  copy_url: Type.Optional(address('Address of the copy')),
  copy_revision: Type.Optional(line('Version of the copy, e.g. a commit')),
  copy_date: Type.Optional(IsoDate),
  copy_transcribed: Type.Optional(oneOf(['yes', 'no'])),
}
const provenance = {
  rows: Type.Optional(code('^\\d{1,9}$', 'The number of rows')),
  publisher: line('Name of the publisher'),
  licence: line('Terms of use'),
  url: address('Address of the publication'),
}
const source = code('^[A-Z][A-Z0-9_]*$', 'Agency code, e.g. ABS')
const multiplier = Type.Optional(PositiveDecimal)

/** Members for figures, of all indicators together. */
export const figureNames = [...new Set(Object.values(indicators).flatMap(({ figures }) => figures))]

const FigureMembers = strict({
  ...provenance,
  ...origin,
  source,
  dataset: code('^[A-Za-z0-9_@:/.-]+$', 'Dataset code: letters, digits and _@:/.-'),
  indicator: oneOf<Indicator>(indicatorCodes),
  country: CountryCode,
  unit: code('^(?:[A-Z]{3}|index|percent)$', 'ISO 4217 currency code, index or percent'),
  seasonal_adjustment: oneOf(['seasonally_adjusted', 'not_seasonally_adjusted']),
  annualization: Type.Optional(oneOf(['annualized', 'not_annualized'])),
  base_period: Type.Optional(Cpi.properties.base_period),
  base_value: Type.Optional(PositiveDecimal),
  multiplier,
  decimals: Type.Optional(code('^\\d{1,2}$', 'Number of decimals')),
  last_updated: Type.Optional(IsoDate),
  released_on: Type.Optional(IsoDate),
  period: AnyPeriod,
  ...Object.fromEntries(figureNames.map((name) => [name, Type.Optional(printed)])),
})
export type FigureMembers = Type.Static<typeof FigureMembers>

const PriceMembers = strict({
  ...provenance,
  ...origin,
  source,
  symbol: SpotPrice.properties.symbol,
  multiplier,
  last_updated: Type.Optional(IsoDate),
  observed_at: Type.String({ description: 'Date, or instant with its offset from UTC, ISO 8601' }),
  price: printed,
})
export type PriceMembers = Type.Static<typeof PriceMembers>

export type Members = Readonly<Record<string, string>>
export type Kind = 'figures 1' | 'prices 1'

export type Head = {
  readonly kind: Kind
  /** Members that hold for all rows. */
  readonly members: Members
}

/** A head, and the text that follows it. */
export type Opening = Head & {
  readonly syntax: 'csv' | 'ndjson'
  readonly body: string
  /** Line number of the body's first line. */
  readonly firstLine: number
}

export type FileRow = {
  readonly kind: 'row'
  readonly line: number
  readonly text: string
  /** Members of the row and of the head together. */
  readonly members: Members
}

type KindDefinition = {
  readonly schema: Type.TObject
  /** Members that only the head may have, so that they can't differ from row to row. */
  readonly headOnly: readonly string[]
}
/** Members that say where the figures of a row were taken from. */
export const originNames = Object.keys(origin)
const documentMembers = Object.keys(provenance)
export const kinds: Readonly<Record<Kind, KindDefinition>> = {
  'figures 1': { schema: FigureMembers, headOnly: documentMembers },
  'prices 1': {
    schema: PriceMembers,
    headOnly: [...documentMembers, ...originNames, 'source'],
  },
}
export const isKind = (text: string): text is Kind => Object.hasOwn(kinds, text)
/** Names of a kind's members, in the order of their schema. */
export const memberNames = (kind: Kind): string[] => Object.keys(kinds[kind].schema.properties)
export const isRequired = (kind: Kind, member: string): boolean =>
  kinds[kind].schema.required?.includes(member) === true

type Fault = { readonly reason: string; readonly member: string; readonly detail: string }
const reasons: Readonly<Record<string, string>> = { country: 'unknown_country' }

const compiled = new Map(
  Object.entries(kinds).map(([kind, { schema }]) => [
    kind,
    { whole: Compile(schema), part: Compile(Type.Partial(schema, { additionalProperties: false })) },
  ]),
)

/** Returns the first fault in the members of a row (`whole`), or of a head (`part`), which may lack some. */
export function faultOf(kind: Kind, extent: 'whole' | 'part', members: Members): Fault | undefined {
  const validator = compiled.get(kind)?.[extent]
  if (!validator) return undefined
  if (validator.Check(members)) return extent === 'whole' ? withoutHolder(members) : undefined
  const { properties } = kinds[kind].schema
  const unknown = Object.keys(members).find((name) => !Object.hasOwn(properties, name))
  if (unknown !== undefined) return unknownMember(kind, unknown)
  const missing = memberNames(kind).find((name) => isRequired(kind, name) && !Object.hasOwn(members, name))
  if (missing !== undefined && extent === 'whole')
    return { reason: 'missing_member', member: missing, detail: `${missing} is missing.` }
  const member = validator.Errors(members)[0]?.instancePath.slice(1) ?? ''
  // Cast: typebox's type of a schema leaves `description` out.
  const { description = '' } = properties[member] as { readonly description?: string }
  if (member === 'period') return { reason: 'bad_period', member, detail: badPeriodText(members[member]) }
  const detail = `${member} is ${JSON.stringify(members[member])}; it must be: ${description}.`
  return { reason: reasons[member] ?? 'bad_member', member, detail }
}

const badPeriodText = (text: string | undefined): string =>
  `period ${JSON.stringify(text)} is not a year, month or quarter (2025, 2026-09, 2026-Q3).`

/** A copy that nobody is said to hold proves nothing. */
function withoutHolder(members: Members): Fault | undefined {
  const of = Object.keys(members).find((name) => name.startsWith('copy_'))
  if (of === undefined || members.copy_holder !== undefined) return undefined
  return { reason: 'missing_member', member: 'copy_holder', detail: `${of} needs copy_holder: who keeps the copy.` }
}

export const unknownMember = (kind: Kind, member: string): Fault => ({
  reason: 'unknown_member',
  member,
  detail: `${JSON.stringify(member)} is not a member of ${kind}.`,
})
