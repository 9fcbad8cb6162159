const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/**
 * Where a period begins, in seconds since 1970, as the chart counts: `2020-Q2` is 1 April 2020.
 *
 * @param {string} period
 */
export function periodSeconds(period) {
  const year = Number(period.slice(0, 4))
  const rest = period.slice(5)
  const month = rest.startsWith('Q') ? (Number(rest.slice(1)) - 1) * 3 : rest === '' ? 0 : Number(rest) - 1
  return Date.UTC(year, month) / 1000
}

/**
 * The last day of a period, `YYYY-MM-DD`.
 *
 * @param {string} period `2020-Q2` ends on `2020-06-30`
 */
export function lastDayOf(period) {
  const first = new Date(periodSeconds(period) * 1000)
  const months = { A: 12, Q: 3, M: 1 }[periodFrequency(period)]
  return new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + months, 0)).toISOString().slice(0, 10)
}

/**
 * Whether a period lies in a range as a whole. Bounds may be of another frequency: a year as a bound means all of it.
 *
 * @param {string} period
 * @param {{ readonly start?: string | undefined, readonly end?: string | undefined }} range both inclusive
 */
export const isWithin = (period, { start, end }) =>
  (!start || periodSeconds(period) >= periodSeconds(start)) && (!end || lastDayOf(period) <= lastDayOf(end))

/** @param {string} period `2020-12` is followed by `2021-01` */
export function nextPeriod(period) {
  const year = Number(period.slice(0, 4))
  const frequency = periodFrequency(period)
  if (frequency === 'A') return yearName(year + 1)
  const [last, mark, digits] = frequency === 'Q' ? [4, 'Q', 1] : [12, '', 2]
  const number = Number(period.slice(5).replace(mark, ''))
  const [of, next] = number === last ? [year + 1, 1] : [year, number + 1]
  return `${yearName(of)}-${mark}${String(next).padStart(digits, '0')}`
}

/**
 * Adds the periods between, so that a drawing has a gap where there is no figure.
 *
 * @param {readonly string[]} known in order
 */
export function everyPeriod(known) {
  const [first, last = ''] = [known[0], known.at(-1)]
  const all = first === undefined ? [] : [first]
  for (let period = first; period !== undefined && period < last; ) {
    period = nextPeriod(period)
    all.push(period)
  }
  return all
}

const yearName = (/** @type {number} */ year) => String(year).padStart(4, '0')

/**
 * The period that a moment lies in.
 *
 * @param {number} seconds since 1970
 * @param {string} frequency M, Q or A
 */
export function periodAt(seconds, frequency) {
  const day = new Date(seconds * 1000).toISOString()
  const [year, month] = [day.slice(0, 4), day.slice(5, 7)]
  if (frequency === 'A') return year
  return frequency === 'Q' ? `${year}-Q${Math.ceil(Number(month) / 3)}` : `${year}-${month}`
}

/** @param {string} period `2020-04` is of a month (`M`), `2020-Q2` of a quarter (`Q`), `2020` of a year (`A`) */
export const periodFrequency = (period) => (period.length === 4 ? 'A' : period.includes('Q') ? 'Q' : 'M')

/** @type {Readonly<Record<string, { readonly adjective: string, readonly periods: string }>>} */
export const frequencyWords = {
  M: { adjective: 'monthly', periods: 'months' },
  Q: { adjective: 'quarterly', periods: 'quarters' },
  A: { adjective: 'annual', periods: 'years' },
}

/** @param {string} frequency M, Q or A */
export const adjective = (frequency) => frequencyWords[frequency]?.adjective ?? frequency

/** @param {string} period `2020-04` is `Apr 2020`, `2020-Q2` is `Q2 2020` */
export function periodName(period) {
  const [year = '', rest] = period.split('-')
  if (rest === undefined) return year
  return `${rest.startsWith('Q') ? rest : monthNames[Number(rest) - 1]} ${year}`
}

/** @param {string} day `2020-07-30` is `30 Jul 2020` */
export function dayName(day) {
  const [year, month, date] = day.split('-')
  return `${Number(date)} ${monthNames[Number(month) - 1]} ${year}`
}

/** The day it is now, UTC. */
export const thisDay = () => new Date().toISOString().slice(0, 10)

/** @param {number} count */
export const daysName = (count) => (count === 1 ? '1 day' : `${count.toLocaleString('en-US')} days`)

/** @param {string} instant an instant as a person reads it: `23 Nov 2026 01:56:03 UTC` */
export const instantName = (instant) => `${dayName(instant.slice(0, 10))} ${instant.slice(11, 19)} UTC`

/** @param {string | number} instant to the minute, without its zone: `23 Nov 2026 01:56` */
export const minuteName = (instant) => instantName(new Date(instant).toISOString()).replace(/:\d\d UTC$/, '')

/**
 * The time of an instant that stands under a day of its publisher: `13:30 UTC`. If the date is another one in UTC, it is
 * said: `23:30 UTC on 26 Nov 2026`.
 *
 * @param {string} instant
 * @param {string} day
 */
export function timeUnderDay(instant, day) {
  const date = instant.slice(0, 10)
  return `${instant.slice(11, 16)} UTC${date === day ? '' : ` on ${dayName(date)}`}`
}

/**
 * A length of time in the largest whole unit: `4 s`, `12 min`, `3 h`, `5 d`.
 *
 * @param {number} ms
 */
export function ageName(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 90) return `${seconds} s`
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`
  if (seconds < 129_600) return `${Math.round(seconds / 3600)} h`
  return `${Math.round(seconds / 86_400)} d`
}
