import { describe, expect, it, vi } from 'vitest'
import { CommitGate } from '../../base/lmdb/commit-gate.ts'
import type { Store } from '../../journal/embedded/store.ts'
import { Tail, type TailTimes } from '../../journal/embedded/tail.ts'
import { temporaryDirectory } from '../support/journal.ts'
import { UNTIL_MS } from '../support/patience.ts'
import { randomFrom } from '../support/random.ts'
import { SimulatedTime } from '../support/simulated-time.ts'

/** A log of another process's: what its newest snapshot says. */
function world(times: Partial<TailTimes> = {}) {
  const time = new SimulatedTime(randomFrom(1))
  let commits = 0
  let end = 0
  let polls = 0
  let broken: Error | undefined
  const store = { commits: () => commits, bounds: () => ({ start: 0, end }) } as unknown as Store
  let hint = (): void => undefined
  let lose = (): void => undefined
  let isWatched = true
  const tail = new Tail(
    (look) => {
      polls++
      if (broken) throw broken
      return look(store)
    },
    (onChange, onLoss) => {
      hint = onChange
      lose = onLoss
      return () => {
        isWatched = false
      }
    },
    { pollMs: 1, anywayMs: 1, ...times },
    time,
  )
  return {
    tail,
    advance: (ms: number) => time.advance(ms),
    hint: () => hint(),
    lose: () => lose(),
    isWatched: () => isWatched,
    commits: () => commits,
    end: () => end,
    polls: () => polls,
    commit: (records: number) => {
      commits++
      end += records
    },
    fail: (error: Error) => {
      broken = error
    },
  }
}
const LOG = 3
const never = new AbortController().signal
const settles = (promise: Promise<void>) => {
  const state = { isDone: false }
  promise.then(
    () => {
      state.isDone = true
    },
    () => undefined,
  )
  return state
}

describe('waiting for commits', () => {
  it('wakes who waits for a log that another process has written to, and not who would find nothing new', async () => {
    const { tail, advance, commits, commit, end, polls } = world()
    const at = end()
    const concerned = settles(tail.wait(LOG, commits(), never, (store) => store.bounds(LOG).end !== at))
    const other = settles(tail.wait(LOG + 1, commits(), never, () => false))
    commit(0)
    await advance(4)
    expect(polls()).toBe(4)
    expect(concerned.isDone).toBe(false)
    commit(1)
    await advance(1)
    expect(concerned.isDone).toBe(true)
    expect(other.isDone).toBe(false)
  })

  it('misses no commit that came between the snapshot and the waiting', async () => {
    const { tail, advance, commits, commit } = world()
    const seen = commits()
    commit(1)
    const first = settles(tail.wait(LOG, seen, never))
    await advance(1)
    expect(first.isDone).toBe(true)
    // Also where others are waiting already.
    const other = settles(tail.wait(LOG, commits(), never, () => false))
    const later = commits()
    commit(1)
    const second = settles(tail.wait(LOG, later, never))
    await advance(1)
    expect(second.isDone).toBe(true)
    expect(other.isDone).toBe(false)
  })

  it('wakes at once who waits for a log that this process has written to, and nobody else', async () => {
    const { tail, commits } = world()
    const concerned = tail.wait(LOG, commits(), never)
    const other = settles(tail.wait(LOG + 1, commits(), never))
    tail.changed(new Set([LOG]))
    await concerned
    expect(other.isDone).toBe(false)
  })

  it('ends with the signal, polls only while somebody waits, and says so when the journal can’t be read', async () => {
    const { tail, advance, commits, polls, fail } = world()
    const stop = new AbortController()
    const waiting = tail.wait(LOG, commits(), stop.signal)
    await advance(3)
    stop.abort()
    await waiting
    await tail.wait(LOG, commits(), stop.signal)
    await advance(10)
    expect(polls()).toBe(3)
    fail(new Error('TEST'))
    const refused = expect(tail.wait(LOG, commits(), never)).rejects.toThrow('TEST')
    await advance(1)
    await refused
  })

  it('looks at once when a hint comes after a pause, and then as seldom as it polls', async () => {
    const { tail, advance, commits, commit, hint, polls } = world({ pollMs: 1_000, anywayMs: 3_600_000 })
    hint()
    expect(polls()).toBe(0)
    const woken = settles(tail.wait(LOG, commits(), never))
    const other = settles(tail.wait(LOG, commits(), never, () => false))
    commit(1)
    hint()
    expect(polls()).toBe(1)
    await advance(0)
    expect(woken.isDone).toBe(true)
    for (let n = 0; n < 1_000; n++) hint()
    await advance(999)
    expect(polls()).toBe(1)
    await advance(1)
    expect(polls()).toBe(2)
    expect(other.isDone).toBe(false)
  })

  it('polls where no hints come any more, and looks now and then for a hint that went astray', async () => {
    const astray = world({ pollMs: 3_600_000, anywayMs: 1 })
    const waiting = settles(astray.tail.wait(LOG, astray.commits(), never))
    astray.commit(1)
    await astray.advance(1)
    expect(waiting.isDone).toBe(true)
    const lost = world({ pollMs: 1, anywayMs: 3_600_000 })
    lost.lose()
    const polled = settles(lost.tail.wait(LOG, lost.commits(), never))
    lost.commit(1)
    await lost.advance(1)
    expect(polled.isDone).toBe(true)
    lost.tail.close()
    expect(lost.isWatched()).toBe(false)
  })

  it('is given hints by other processes’ commits, and none by its own', async () => {
    const dir = await temporaryDirectory()
    const [gate, other] = [new CommitGate(dir), new CommitGate(dir)]
    const hints = vi.fn()
    const loss = vi.fn()
    const unwatch = gate.watch(hints, loss)
    await gate.committing(async () => undefined)
    await new Promise(setImmediate)
    expect(hints).not.toHaveBeenCalled()
    await other.committing(async () => undefined)
    await vi.waitFor(() => expect(hints).toHaveBeenCalled(), UNTIL_MS)
    unwatch()
    gate.close()
    other.close()
    expect(loss).not.toHaveBeenCalled()
  })
})
