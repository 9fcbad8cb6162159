import { withoutArguments } from '../../base/redis/errors.ts'
import { AccessError } from '../error.ts'

/**
 * A server is set so that it may forget, or doesn't have the database: another try helps only once somebody has set the
 * server or the address otherwise.
 */
export class RedisSettingsError extends Error {
  override readonly name = 'RedisSettingsError'
}

export const unavailable = (error: unknown): AccessError =>
  new AccessError('unavailable', 'Redis cannot be asked', { cause: withoutArguments(error) })
