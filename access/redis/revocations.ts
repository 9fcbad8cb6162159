import type { Identity } from '../identity.ts'
import type { Revocations } from '../revocations.ts'
import { accessPartition, revokedName } from './names.ts'
import type { RedisStore } from './store.ts'

type Asked = { readonly keyIds: string[]; readonly answer: Promise<readonly boolean[]> }

/**
 * The flags in Redis, a set a partition, which every decision's script looks into: each where the key's account is
 * counted. What is asked within one turn is asked in one command a partition: thousands of open streams are checked
 * several times a second.
 */
export class RedisRevocations implements Revocations {
  readonly #store: RedisStore
  readonly #asked = new Map<string, Asked>()

  constructor(store: RedisStore) {
    this.#store = store
  }

  async revoke({ keyId, account }: Identity): Promise<void> {
    await this.#store.connection.call('SADD', revokedName(accessPartition(account)), keyId)
  }

  async isRevoked({ keyId, account }: Identity): Promise<boolean> {
    const partition = accessPartition(account)
    let asked = this.#asked.get(partition)
    if (!asked) {
      asked = this.#ask(partition)
      this.#asked.set(partition, asked)
    }
    const place = asked.keyIds.push(keyId) - 1
    return (await asked.answer)[place] === true
  }

  #ask(partition: string): Asked {
    const keyIds: string[] = []
    const answer = new Promise((goOn) => setImmediate(goOn)).then(async () => {
      this.#asked.delete(partition)
      const flags = await this.#store.connection.call('SMISMEMBER', revokedName(partition), ...keyIds)
      return (flags as readonly number[]).map((flag) => flag === 1)
    })
    return { keyIds, answer }
  }
}
