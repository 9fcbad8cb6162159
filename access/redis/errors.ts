import { AccessError } from '../error.ts'

/**
 * A server is set so that it may forget, or doesn't have the database: another try helps only once somebody has set the
 * server or the address otherwise.
 */
export class RedisSettingsError extends Error {
  override readonly name = 'RedisSettingsError'
}

export const unavailable = (error: unknown): AccessError =>
  new AccessError('unavailable', 'Redis cannot be asked', { cause: plain(error) })

/** What ioredis throws carries the command with its arguments, which may be a password: only what it says is kept. */
export function plain(error: unknown): Error {
  const { message, name } = error instanceof Error ? error : new Error(String(error))
  // Where it was made is of no use to anybody who reads the log.
  return Object.assign(new Error(message), { name, stack: `${name}: ${message}` })
}
