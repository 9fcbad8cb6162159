import type { Access } from '../../../access/access.ts'
import { openRedisAccess, type RedisAccessOptions } from '../../../access/redis/open.ts'
import { parseRedisAddress } from '../../../base/redis/address.ts'

/**
 * Opens the access ports as a node does, with three differences: the test passes its own times, new streams do not wait
 * for a fresh server to settle, and replies may take longer on a busy machine.
 */
export const openTestRedisAccess = (url: string, options: Partial<RedisAccessOptions> = {}): Promise<Access> =>
  openRedisAccess({
    address: parseRedisAddress(url),
    clock: 'caller',
    settleMs: 0,
    replyTimeoutMs: 5_000,
    warn: () => undefined,
    ...options,
  })
