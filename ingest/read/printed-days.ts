import { isDate } from '../../domain/day.ts'
import { DocumentError } from '../source.ts'
import { type Json, printed } from './json.ts'

/**
 * A form in which publishers write days. What stands behind the day, such as a time, is not read. `dayOf` returns undefined
 * for another form, and for a day that the calendar does not have.
 */
export type DayForm = { readonly example: string; readonly dayOf: (text: string) => string | undefined }

/** `2026-07-31`, also with a time behind it, whose offset from UTC the day keeps: `2026-07-31T00:30:00+0200`. */
export const isoDay: DayForm = {
  example: '2026-07-31',
  dayOf: (text) => dayOrNone(/^(\d{4}-\d{2}-\d{2})(?!\d)/.exec(text)?.[1]),
}

/** Days with the full English name of the month, in the American and in the British order. */
export const englishDay: DayForm = {
  example: 'July 31, 2026; 31 July 2026',
  dayOf: (text) => {
    const [, american = '', dayBehind = '', dayBefore = '', british = '', year = ''] =
      /^(?:([A-Z][a-z]+) (\d{1,2}), |(\d{1,2}) ([A-Z][a-z]+) )(\d{4})(?!\d)/.exec(text) ?? []
    const month = monthNamed(american || british)
    return dayOrNone(`${year}-${month}-${(dayBehind || dayBefore).padStart(2, '0')}`)
  },
}

/** `31/07/2026` and `31-07-2026`. Only for publishers that write so: others mean the month by the first number. */
export const dayFirst: DayForm = {
  example: '31/07/2026',
  dayOf: (text) => {
    const [, day, , month, year] = /^(\d{2})([/-])(\d{2})\2(\d{4})(?!\d)/.exec(text) ?? []
    return dayOrNone(`${year}-${month}-${day}`)
  },
}

/** Forms that mean the same everywhere. */
export const unambiguousDays: readonly DayForm[] = [isoDay, englishDay]

/** Day of a text in one of the forms; undefined for anything else. */
export function dayIn(text: string, forms: readonly DayForm[]): string | undefined {
  for (const { dayOf } of forms) {
    const day = dayOf(text)
    if (day !== undefined) return day
  }
  return undefined
}

type StatedDay = { readonly name: string; readonly location?: string; readonly forms?: readonly DayForm[] }

/**
 * Day on which a document says that it was released or updated; undefined if the member or text is absent or empty.
 * Throws `DocumentError` `bad_date` if it states anything else than a day in one of the `forms`. It must not count as
 * undated: figures without a date are taken for released today, so an old document would replace newer figures.
 */
export function statedDay(
  stated: Json | undefined,
  { name, location = '', forms = unambiguousDays }: StatedDay,
): string | undefined {
  const text = stated === undefined || stated === null ? '' : (printed(stated) ?? JSON.stringify(stated)).trim()
  if (text === '') return undefined
  const day = dayIn(text, forms)
  if (day !== undefined) return day
  const examples = forms.map(({ example }) => example).join('; ')
  const found = JSON.stringify(text.slice(0, 80))
  throw new DocumentError(
    'bad_date',
    `${name} is ${found}, which is no date. Dates are read as: ${examples}.`,
    location,
  )
}

/** As `statedDay`, for documents that always state the day. Also throws `bad_date` if this one does not. */
export function requiredDay(stated: Json | undefined, about: StatedDay): string {
  const day = statedDay(stated, about)
  if (day === undefined) throw new DocumentError('bad_date', `${about.name} states no date.`, about.location)
  return day
}

const dayOrNone = (date = ''): string | undefined => (isDate(date) ? date : undefined)

const names = 'January February March April May June July August September October November December'.split(' ')

const numberIn = (names: readonly string[]): ReadonlyMap<string, string> =>
  new Map(names.map((name, i) => [name, String(i + 1).padStart(2, '0')]))

/** Number of a month, `01` to `12`, by its English name; undefined for any other text. */
export const monthNamed = (name: string): string | undefined => byName.get(name)
const byName = numberIn(names)

/** Number of a month by the first three letters of its English name: `Jan`. */
export const monthAbbreviated = (name: string): string | undefined => byAbbreviation.get(name)
const byAbbreviation = numberIn(names.map((name) => name.slice(0, 3)))
