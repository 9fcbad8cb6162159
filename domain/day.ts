/** Tells whether a text is a day of the calendar, `YYYY-MM-DD`. */
export const isDate = (text: string): boolean =>
  // The days that every month has. Nearly all dates are told without the calendar.
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])$/.test(text) ||
  (/^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true)

const DAY_MS = 86_400_000
export const daysBetween = (from: string, to: string): number => (midnight(to) - midnight(from)) / DAY_MS
export const addDays = (day: string, days: number): string =>
  new Date(midnight(day) + days * DAY_MS).toISOString().slice(0, 10)
/** ECMAScript reads a day without a time as one in UTC. */
const midnight = (day: string): number => Date.parse(day)
