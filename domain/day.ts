/** Every day but 29 February. */
const IN_EVERY_YEAR =
  /^\d{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)$/

/** Tells whether a text is a day of the calendar, `YYYY-MM-DD`. */
export const isDate = (text: string): boolean =>
  IN_EVERY_YEAR.test(text) ||
  (/^\d{4}-02-29$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true)

const DAY_MS = 86_400_000
export const daysBetween = (from: string, to: string): number => (midnight(to) - midnight(from)) / DAY_MS
export const addDays = (day: string, days: number): string =>
  new Date(midnight(day) + days * DAY_MS).toISOString().slice(0, 10)
/** ECMAScript reads a day without a time as one in UTC. */
const midnight = (day: string): number => Date.parse(day)

/** The latest day that has begun anywhere on earth at an instant. A publisher's date is its own local one. */
export const latestDay = (now: Date): string => new Date(now.getTime() + 14 * 3_600_000).toISOString().slice(0, 10)
