/** Foreign exchange trades from Sunday 17:00 to Friday 17:00 in New York, daylight saving included. */

const newYork = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/New_York',
  weekday: 'short',
  hour: '2-digit',
  hourCycle: 'h23',
})
const CLOSES_HOUR = 17

export function fxSession(at: Date): 'open' | 'closed' {
  const parts = newYork.formatToParts(at)
  const part = (type: string) => parts.find((candidate) => candidate.type === type)?.value ?? ''
  const weekday = part('weekday')
  const afterClose = Number(part('hour')) >= CLOSES_HOUR
  if (weekday === 'Sat') return 'closed'
  if (weekday === 'Fri') return afterClose ? 'closed' : 'open'
  if (weekday === 'Sun') return afterClose ? 'open' : 'closed'
  return 'open'
}
