import { describe, expect, it, vi } from 'vitest'
import { CommitGate } from '../../base/lmdb/commit-gate.ts'
import type { Store } from '../../journal/embedded/store.ts'
import { Tail, type TailTimes } from '../../journal/embedded/tail.ts'
import { temporaryDirectory } from '../support/journal.ts'
import { UNTIL_MS } from '../support/patience.ts'

/** A log of another process's: what its newest snapshot says. */
function world(times: Partial<TailTimes> = {}) {
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
  )
  return {
    tail,
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
    const { tail, commits, commit, end, polls } = world()
    const at = end()
    const concerned = tail.wait(LOG, commits(), never, (store) => store.bounds(LOG).end !== at)
    const other = settles(tail.wait(LOG + 1, commits(), never, () => false))
    commit(0)
    const before = polls()
    await vi.waitFor(() => expect(polls()).toBeGreaterThan(before + 3), UNTIL_MS)
    commit(1)
    await concerned
    expect(other.isDone).toBe(false)
  })

  it('misses no commit that came between the snapshot and the waiting', async () => {
    const { tail, commits, commit } = world()
    const seen = commits()
    commit(1)
    await tail.wait(LOG, seen, never)
    // Also where others are waiting already.
    const other = settles(tail.wait(LOG, commits(), never, () => false))
    const later = commits()
    commit(1)
    await tail.wait(LOG, later, never)
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
    const { tail, commits, polls, fail } = world()
    const stop = new AbortController()
    const waiting = tail.wait(LOG, commits(), stop.signal)
    await vi.waitFor(() => expect(polls()).toBeGreaterThan(2), UNTIL_MS)
    stop.abort()
    await waiting
    await tail.wait(LOG, commits(), stop.signal)
    const done = polls()
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(polls()).toBe(done)
    fail(new Error('TEST'))
    await expect(tail.wait(LOG, commits(), never)).rejects.toThrow('TEST')
  })

  it('looks at once when a hint comes after a pause, and then as seldom as it polls', async () => {
    const { tail, commits, commit, hint, polls } = world({ pollMs: 1_000, anywayMs: 3_600_000 })
    hint()
    expect(polls()).toBe(0)
    const woken = settles(tail.wait(LOG, commits(), never))
    const other = settles(tail.wait(LOG, commits(), never, () => false))
    commit(1)
    hint()
    expect(polls()).toBe(1)
    await new Promise(setImmediate)
    expect(woken.isDone).toBe(true)
    for (let n = 0; n < 1_000; n++) hint()
    expect(polls()).toBe(1)
    await vi.waitFor(() => expect(polls()).toBe(2), UNTIL_MS)
    expect(other.isDone).toBe(false)
  })

  it('polls where no hints come any more, and looks now and then for a hint that went astray', async () => {
    const astray = world({ pollMs: 3_600_000, anywayMs: 1 })
    const waiting = astray.tail.wait(LOG, astray.commits(), never)
    astray.commit(1)
    await waiting
    const lost = world({ pollMs: 1, anywayMs: 3_600_000 })
    lost.lose()
    const polled = lost.tail.wait(LOG, lost.commits(), never)
    lost.commit(1)
    await polled
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
