/** Numbers and times of the overview, in words. */

export const countText = (value: number): string => Math.round(value).toLocaleString('en')

/** A rate with two digits, so that little is not shown as nothing. */
export const rateText = (value: number): string =>
  value === 0 ? '0' : value >= 9.95 ? countText(value) : value < 0.01 ? '< 0.01' : String(Number(value.toPrecision(2)))

export function bytesText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const power = Math.min(Math.floor(Math.log10(Math.max(1, bytes)) / 3), units.length - 1)
  return `${Number((bytes / 1_000 ** power).toPrecision(3))} ${units[power]}`
}

export const secondsText = (seconds: number): string =>
  seconds < 1 ? `${Number((seconds * 1_000).toPrecision(2))} ms` : `${Number(seconds.toPrecision(2))} s`

export const percentText = (share: number): string => {
  const percent = share * 100
  return `${percent >= 10 || percent === 0 ? Math.round(percent) : Number(percent.toPrecision(2))} %`
}

const spans = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const

/** A span of time in its greatest unit, rounded down. */
export function spanText(ms: number): string {
  const [unit, length] = spans.find(([, each]) => ms >= each) ?? spans[3]
  const count = Math.max(0, Math.floor(ms / length))
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

export const minuteText = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ')
/** A time, and how long ago that is. */
export const agoText = (at: number, now: number): string => `${minuteText(at)}, ${spanText(now - at)} ago`
