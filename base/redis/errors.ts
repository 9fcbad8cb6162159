/** Handling of the errors of Redis clients. */

/**
 * Copies only the name and message of an error. An error of ioredis also has the command with its arguments, which may
 * include a password.
 */
export function withoutArguments(error: unknown): Error {
  const { message, name } = error instanceof Error ? error : new Error(String(error))
  // A stack trace into ioredis tells the reader of a log nothing.
  return Object.assign(new Error(message), { name, stack: `${name}: ${message}` })
}

/**
 * Whether SELECT was refused while a connection was made. ioredis then goes on in database 0, whose keys belong to
 * other programs. A cast, because the types of ioredis lack `command`.
 */
export const isDatabaseRefused = (error: Error): boolean =>
  error.name === 'ReplyError' && (error as { command?: { name?: string } }).command?.name === 'select'

const MINUTE_MS = 60_000
const MOST_KNOWN = 100

/**
 * Passes each message on to `log` at most once a minute. While Redis is away, every connection reports an error at
 * every attempt.
 */
export function onceAMinute(log: (error: Error) => void, now = () => performance.now()): (error: Error) => void {
  const loggedAt = new Map<string, number>()
  return (error) => {
    if (now() - (loggedAt.get(error.message) ?? Number.NEGATIVE_INFINITY) < MINUTE_MS) return
    if (loggedAt.size >= MOST_KNOWN) loggedAt.clear()
    loggedAt.set(error.message, now())
    log(withoutArguments(error))
  }
}
