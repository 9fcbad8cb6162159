import { describe, expect, it } from 'vitest'
import { systemTime, type Time } from '../../../base/time.ts'
import { Rest, Turns, type Worker } from '../../../streams/events/turns.ts'
import { randomFrom } from '../../support/random.ts'
import { SimulatedTime } from '../../support/simulated-time.ts'

/** Turns of a clock that is moved on by hand: `step` lets the event loop come round once. */
function turnsOf(framesAtOnce: number) {
  let due: (() => void)[] = []
  const time: Time = { ...systemTime, soon: (task) => void due.push(task) }
  const turns = new Turns(time, framesAtOnce, (error) => {
    throw error
  })
  const order: string[] = []
  const worker = (name: string, isLive: boolean, frames: number, rounds = 1): Worker => {
    const self: Worker = {
      isLive,
      turn() {
        order.push(name)
        if (--rounds > 0) turns.add(self)
        return frames
      },
    }
    return self
  }
  const step = () => {
    const tasks = due
    due = []
    for (const task of tasks) task()
    return order.splice(0).join(' ')
  }
  return { turns, worker, step }
}

describe('turns', () => {
  it('go round, so many frames before the event loop has its own', () => {
    const { turns, worker, step } = turnsOf(20)
    for (const name of ['a', 'b', 'c']) turns.add(worker(name, false, 9, 2))
    expect([step(), step(), step(), step()]).toEqual(['a b', 'c a', 'b c', ''])
  })

  it('of who is live come before those of who replays, also if asked for later', () => {
    const { turns, worker, step } = turnsOf(20)
    for (const name of ['a', 'b', 'c', 'd']) turns.add(worker(name, false, 9))
    expect(step()).toBe('a b')
    for (const name of ['x', 'y']) turns.add(worker(name, true, 1))
    expect([step(), step()]).toEqual(['x y c d', ''])
  })

  it('come to who replays however much is live', () => {
    const { turns, worker, step } = turnsOf(10)
    turns.add(worker('a', false, 64, 3))
    for (const name of ['x', 'y']) turns.add(worker(name, true, 9, 9))
    expect([step(), step(), step(), step()]).toEqual(['x a', 'y a', 'x a', 'y'])
  })
})

describe('a rest', () => {
  const restOf = () => {
    const rests: number[] = []
    const stop = new AbortController()
    let frames = 0
    const time = new SimulatedTime(randomFrom(1))
    const timer: Time['timer'] = (ms, task) => {
      rests.push(ms)
      return time.timer(ms, task)
    }
    const rest = new Rest({
      time: { ...time, timer },
      leastMs: 8,
      mostMs: 16,
      frames: () => frames,
      signal: stop.signal,
    })
    const take = (sent: number) => {
      frames += sent
      return rest.take()
    }
    return { rests, take, stop }
  }

  it('is the longer the more was sent since the last one, within its limits', () => {
    const { rests, take } = restOf()
    for (const sent of [0, 100, 768, 5_000, 10]) void take(sent)
    expect(rests).toEqual([8, 8, 12, 16, 8])
  })

  it('ends with the signal', async () => {
    const { take, stop } = restOf()
    const ended = take(0)
    stop.abort()
    expect(await ended).toBeUndefined()
    expect(await take(0)).toBeUndefined()
  })
})
