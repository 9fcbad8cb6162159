/** A process of the streams bench and what it is asked, one question at a time. */
import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'

/** What a process has used so far: CPU time in seconds, resident bytes. */
export type Usage = { readonly cpu: number; readonly rss: number }

const ANSWER_WITHIN_MS = 30_000

/** A child of the bench: a server, or the client that loads it. */
export class Process {
  readonly #child: ChildProcess

  constructor(file: string, args: readonly string[], execArgv: string[] = []) {
    // Not the parent's own options: a script given as one would be run by every child.
    this.#child = fork(join(import.meta.dirname, file), args, { execArgv })
  }

  /** Says something that is not answered. */
  tell(message: object): void {
    this.#child.send(message)
  }

  /** Rejects where the process ends or doesn't answer. */
  ask<T>(message: object): Promise<T> {
    this.#child.send(message)
    return this.answer()
  }

  answer<T>(): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const late = setTimeout(() => reject(new Error('a process of the bench does not answer')), ANSWER_WITHIN_MS)
    const ended = () => reject(new Error('a process of the bench has ended'))
    const answered = (answer: unknown) => {
      if (typeof answer === 'object' && answer !== null && 'failed' in answer) reject(new Error(String(answer.failed)))
      else resolve(answer as T)
    }
    this.#child.once('message', answered).once('exit', ended)
    return promise.finally(() => {
      clearTimeout(late)
      this.#child.off('message', answered).off('exit', ended)
    })
  }

  end(): void {
    if (this.#child.connected) this.#child.disconnect()
  }
}

/** In the child: answers what it is asked, by the question's `ask`, and ends with the parent. */
export function answerTo(answers: Readonly<Record<string, (message: never) => unknown>>): void {
  process.on('disconnect', () => process.exit(0))
  process.on('message', async (message: { ask: string }) => {
    try {
      const answer = await answers[message.ask]?.(message as never)
      if (answer !== undefined) process.send?.(answer)
    } catch (error) {
      process.send?.({ failed: (error as Error).stack })
    }
  })
}

/** Resources that this process has used. `collect`: after a garbage collection, if Node was started with `--expose-gc`. */
export function usage(collect = false): Usage {
  if (collect) for (let i = 0; i < 3; i++) globalThis.gc?.()
  const { user, system } = process.cpuUsage()
  return { cpu: (user + system) / 1_000_000, rss: process.memoryUsage.rss() }
}
