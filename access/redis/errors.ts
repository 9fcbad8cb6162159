import { withoutArguments } from '../../base/redis/errors.ts'
import { AccessError } from '../error.ts'

/**
 * The server may lose what it acknowledges, or does not have the database. A retry helps only after an operator changes
 * the server's settings or the address.
 */
export class RedisSettingsError extends Error {
  override readonly name = 'RedisSettingsError'
}

export const unavailable = (error: unknown): AccessError =>
  new AccessError('unavailable', 'the command to Redis failed', { cause: withoutArguments(error) })
