/** Rules that the claims of all adapters share: the form of a name, and the queue for it within one process. */

const NAME_LENGTH = 249

/** Throws a RangeError for an empty or overlong name, and for one with NUL. */
export function assertClaimName(name: string): void {
  if (name.length === 0 || name.length > NAME_LENGTH || name.includes('\0'))
    throw new RangeError(`A claim name has 1 to ${NAME_LENGTH} characters and no NUL, unlike ${JSON.stringify(name)}`)
}

/**
 * First-come queue of one process for each claim name. Only the head of a queue contends with other processes, so
 * that two owners in one process never race for the same name.
 */
export class ClaimLines {
  /** Tail of each queue that is not empty: resolves when its last entry has left. */
  readonly #ends = new Map<string, Promise<void>>()

  /**
   * Waits until all earlier callers for `name` have left, then resolves with the function that leaves the queue.
   * Rejects with `signal.reason` when aborted.
   */
  async enter(name: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted()
    const ahead = this.#ends.get(name) ?? Promise.resolve()
    const { promise: done, resolve: leave } = Promise.withResolvers<void>()
    const end = ahead.then(() => done)
    this.#ends.set(name, end)
    end.then(() => this.#ends.get(name) === end && this.#ends.delete(name))
    const aborted = Promise.withResolvers<never>()
    const abort = () => aborted.reject(signal.reason)
    signal.addEventListener('abort', abort)
    try {
      await Promise.race([ahead, aborted.promise])
      return leave
    } catch (error) {
      leave()
      throw error
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }
}
