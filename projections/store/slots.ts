/** Limits how many queries run at once, how many wait for a slot, and how long. */
import { refuse, type StoreError } from './errors.ts'

interface SlotLimits {
  /** Largest number of queries that run at a time. */
  readonly running: number
  /** Largest number of waiting queries; further ones are refused at once. */
  readonly waiting: number
  /** Longest wait, in milliseconds. */
  readonly waitMs: number
}

export interface Slots {
  /**
   * Waits for a slot, in order of arrival. Resolves with a function that gives it back; further calls do nothing.
   * Rejects with StoreError 202 when too many wait or the wait was too long, with the signal's reason if it aborts.
   */
  take(signal: AbortSignal): Promise<() => void>
  /** Refuses all waiting and all future queries with `error`. */
  close(error: StoreError): void
  /** Resolves when no query runs. */
  idle(): Promise<void>
}

interface Waiter {
  readonly go: () => void
  readonly fail: (error: unknown) => void
}

export function createSlots(limits: SlotLimits): Slots {
  const queue = new Set<Waiter>()
  let running = 0
  let closed: StoreError | undefined
  let idlers: (() => void)[] = []

  const release = () => {
    running -= 1
    const [next] = queue
    next?.go()
    if (running > 0) return
    for (const idler of idlers) idler()
    idlers = []
  }
  const occupy = (): (() => void) => {
    running += 1
    let held = true
    return () => {
      if (held) release()
      held = false
    }
  }
  const wait = (signal: AbortSignal): Promise<() => void> => {
    const { promise, resolve, reject } = Promise.withResolvers<() => void>()
    const leave = () => {
      queue.delete(waiter)
      clearTimeout(timer)
      signal.removeEventListener('abort', aborted)
    }
    const waiter: Waiter = {
      go: () => {
        leave()
        resolve(occupy())
      },
      fail: (error) => {
        leave()
        reject(error)
      },
    }
    const aborted = () => waiter.fail(signal.reason)
    const timer = setTimeout(() => waiter.fail(tooMany(limits)), limits.waitMs)
    signal.addEventListener('abort', aborted)
    queue.add(waiter)
    return promise
  }

  return {
    async take(signal) {
      signal.throwIfAborted()
      if (closed !== undefined) throw closed
      if (running < limits.running) return occupy()
      if (queue.size >= limits.waiting) throw tooMany(limits)
      return wait(signal)
    },
    close(error) {
      closed = error
      for (const waiter of queue) waiter.fail(error)
    },
    idle: () => (running === 0 ? Promise.resolve() : new Promise((resolve) => idlers.push(resolve))),
  }
}

const tooMany = ({ running, waiting, waitMs }: SlotLimits): StoreError =>
  refuse(202, `Too many simultaneous queries: ${running} run at a time, ${waiting} may wait for up to ${waitMs} ms.`)
