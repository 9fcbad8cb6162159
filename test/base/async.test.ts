import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pause } from '../../base/async/pause.ts'
import { doubling, repeat, retry } from '../../base/async/retry.ts'
import { SerialQueue } from '../../base/async/serial-queue.ts'
import { systemTime } from '../../base/time.ts'

class Passing extends Error {}
const isPassing = (error: unknown): error is Passing => error instanceof Passing
const never = new AbortController().signal
const atOnce = { isPassing, pauseMs: () => 0, time: systemTime }

/** A task that fails with each of `errors` in turn, and then answers. */
const failing = (...errors: readonly Error[]) => {
  const left = [...errors]
  return async () => {
    const error = left.shift()
    if (error) throw error
    return 'done'
  }
}

describe('pause', () => {
  it('ends when its signal aborts, without an error', async () => {
    const stop = new AbortController()
    const paused = pause(60_000, stop.signal, systemTime)
    stop.abort(new Error('enough'))
    await paused
    await pause(60_000, stop.signal, systemTime)
  })
})

describe('retry', () => {
  it('repeats what passes, and tells of each failure with its number and pause', async () => {
    const told: unknown[] = []
    const [first, second] = [new Passing('1'), new Passing('2')]
    const options = { ...atOnce, signal: never, pauseMs: doubling(1, 10) }
    const answer = await retry(failing(first, second), { ...options, onRetry: (...all) => told.push(all) })
    expect(answer).toBe('done')
    expect(told).toEqual([
      [first, 1, 0],
      [second, 2, 1],
    ])
  })
  it('throws what does not pass, and the reason of its signal', async () => {
    const fatal = new Error('fatal')
    await expect(retry(failing(new Passing(), fatal), { ...atOnce, signal: never })).rejects.toBe(fatal)
    const reason = new Error('stopped')
    const options = { ...atOnce, pauseMs: () => 60_000, signal: AbortSignal.abort(reason) }
    await expect(retry(failing(new Passing()), options)).rejects.toBe(reason)
  })
  it('doubles its pauses up to the longest, however often it fails', () => {
    fc.assert(
      fc.property(fc.nat(10_000), (failures) => {
        const pauseMs = doubling(50, 5_000)
        expect(pauseMs(failures + 1)).toBe(Math.min(5_000, 2 * pauseMs(failures)))
      }),
    )
    expect(doubling(50, 5_000)(0)).toBe(50)
  })
})

describe('repeat', () => {
  it('runs until its signal aborts, and counts failures from the last success', async () => {
    const stop = new AbortController()
    const [pauses, ends]: [number[], string[]] = [[], []]
    const outcomes = ['fails', 'fails', 'succeeds', 'fails', 'aborts']
    const task = async () => {
      const outcome = outcomes.shift() ?? 'aborts'
      ends.push(outcome)
      if (outcome === 'aborts') {
        stop.abort()
        throw new Error('what the end of its parts makes')
      }
      if (outcome === 'fails') throw new Passing()
    }
    const onRetry = (_: Passing, pauseMs: number) => pauses.push(pauseMs)
    await repeat(task, { ...atOnce, signal: stop.signal, pauseMs: doubling(1, 8), onRetry })
    expect(ends).toEqual(['fails', 'fails', 'succeeds', 'fails', 'aborts'])
    expect(pauses).toEqual([1, 2, 1])
  })
  it('throws what does not pass', async () => {
    const fatal = new Error('fatal')
    const task = async () => {
      throw fatal
    }
    await expect(repeat(task, { ...atOnce, signal: never })).rejects.toBe(fatal)
  })
})

describe('SerialQueue', () => {
  it('runs tasks in order, one at a time, and goes on after a failure', async () => {
    const queue = new SerialQueue()
    const [order, running]: [number[], Set<number>] = [[], new Set()]
    const task = (n: number) => async () => {
      running.add(n)
      expect(running.size).toBe(1)
      await nextTurn()
      running.delete(n)
      order.push(n)
      if (n === 1) throw new Error('1')
      return n
    }
    const answers = await Promise.allSettled([0, 1, 2].map((n) => queue.run(task(n))))
    expect(order).toEqual([0, 1, 2])
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })
})
