import type { Identity } from '../identity.ts'
import type { Revocations } from '../revocations.ts'
import type { Table } from './engine.ts'
import type { AccessEnvironment } from './environment.ts'

export class EmbeddedRevocations implements Revocations {
  readonly #environment: AccessEnvironment
  readonly #flags: Table<true>

  constructor(environment: AccessEnvironment) {
    this.#environment = environment
    this.#flags = environment.revocations
  }

  async revoke({ keyId }: Identity): Promise<void> {
    await this.#environment.inTime(this.#environment.write(() => void this.#flags.put(keyId, true)))
  }

  /** Reads the memory map in well under a microsecond, so that every call can check it. */
  isRevoked({ keyId }: Identity): boolean {
    return this.#environment.read(() => this.#flags.doesExist(keyId))
  }
}
