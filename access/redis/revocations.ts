import { nextTurn } from '../../base/time.ts'
import type { Identity } from '../identity.ts'
import type { Revocations } from '../revocations.ts'
import { accessPartition, revokedName } from './names.ts'
import type { RedisStore } from './store.ts'

type PendingBatch = { readonly keyIds: string[]; readonly answer: Promise<readonly boolean[]> }

/**
 * Revocation flags in Redis: one set for each partition, which every decision's script checks. A flag is in the
 * partition of its key's account. Thousands of open streams are checked several times a second. So all checks of one
 * event loop turn are sent as one command for each partition.
 */
export class RedisRevocations implements Revocations {
  readonly #store: RedisStore
  readonly #pending = new Map<string, PendingBatch>()

  constructor(store: RedisStore) {
    this.#store = store
  }

  async revoke({ keyId, account }: Identity): Promise<void> {
    await this.#store.connection.call('SADD', revokedName(accessPartition(account)), keyId)
  }

  async isRevoked({ keyId, account }: Identity): Promise<boolean> {
    const partition = accessPartition(account)
    let batch = this.#pending.get(partition)
    if (!batch) {
      batch = this.#sendBatch(partition)
      this.#pending.set(partition, batch)
    }
    const index = batch.keyIds.push(keyId) - 1
    return (await batch.answer)[index] === true
  }

  #sendBatch(partition: string): PendingBatch {
    const keyIds: string[] = []
    const answer = nextTurn(this.#store.time).then(async () => {
      this.#pending.delete(partition)
      const flags = await this.#store.connection.call('SMISMEMBER', revokedName(partition), ...keyIds)
      // SMISMEMBER replies with 0 or 1 for each member.
      return (flags as readonly number[]).map((flag) => flag === 1)
    })
    return { keyIds, answer }
  }
}
