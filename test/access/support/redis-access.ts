import type { Access } from '../../../access/access.ts'
import { openRedisAccess, type RedisAccessOptions } from '../../../access/redis/open.ts'
import { parseRedisAddress } from '../../../base/redis/address.ts'

/**
 * As a node opens it, except that time is the test's own, new streams do not wait for a fresh server to settle, and there
 * is patience with a busy machine.
 */
export const openTestRedisAccess = (url: string, options: Partial<RedisAccessOptions> = {}): Promise<Access> =>
  openRedisAccess({
    address: parseRedisAddress(url),
    clock: 'caller',
    settleMs: 0,
    patienceMs: 5_000,
    warn: () => undefined,
    ...options,
  })
