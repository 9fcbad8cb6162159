/** Tells whether a text is a day of the calendar, `YYYY-MM-DD`. */
export const isDate = (text: string): boolean =>
  // The days that every month has. Nearly all dates are told without the calendar.
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])$/.test(text) ||
  (/^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true)
