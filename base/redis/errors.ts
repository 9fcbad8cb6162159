/** What is to be made of the errors of a client of Redis, by everybody who holds one. */

/** What ioredis throws carries the command with its arguments, which may be a password: only what it says is kept. */
export function withoutArguments(error: unknown): Error {
  const { message, name } = error instanceof Error ? error : new Error(String(error))
  // Where it was made is of no use to anybody who reads the log.
  return Object.assign(new Error(message), { name, stack: `${name}: ${message}` })
}

/** SELECT was refused while a connection was made: ioredis goes on in database 0, whose keys are somebody else's. */
export const isDatabaseRefused = (error: Error): boolean =>
  error.name === 'ReplyError' && (error as { command?: { name?: string } }).command?.name === 'select'

const MINUTE_MS = 60_000
const MOST_KNOWN = 100

/** While Redis is away every connection complains at every try: `tell` hears each message once a minute. */
export function onceAMinute(tell: (error: Error) => void, now = () => performance.now()): (error: Error) => void {
  const told = new Map<string, number>()
  return (error) => {
    if (now() - (told.get(error.message) ?? Number.NEGATIVE_INFINITY) < MINUTE_MS) return
    if (told.size >= MOST_KNOWN) told.clear()
    told.set(error.message, now())
    tell(withoutArguments(error))
  }
}
