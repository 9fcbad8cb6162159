/** What claims of all adapters have in common: what a name may be, and that a process contends for it once at a time. */

const NAME_LENGTH = 249

/** Throws a RangeError. */
export function mustBeClaimName(name: string): void {
  if (name.length === 0 || name.length > NAME_LENGTH || name.includes('\0'))
    throw new RangeError(`claim name ${JSON.stringify(name)}`)
}

/** Those of this process who wait for a name, in line. */
export class ClaimLines {
  /** The end of the line for each name that somebody has or waits for. */
  private readonly ends = new Map<string, Promise<void>>()

  /** Waits until everybody who asked before has left the line, then resolves with what leaves it. Rejects with `signal.reason`. */
  async enter(name: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted()
    const ahead = this.ends.get(name) ?? Promise.resolve()
    const { promise: done, resolve: leave } = Promise.withResolvers<void>()
    const end = ahead.then(() => done)
    this.ends.set(name, end)
    end.then(() => this.ends.get(name) === end && this.ends.delete(name))
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
