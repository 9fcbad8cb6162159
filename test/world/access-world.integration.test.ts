import { describe, expect, it } from 'vitest'
import { accessFaults, runAccessWorld } from './access-world.ts'

/** Processes on simulated time that share one access store in memory: calls, tickets, streams, and faults. */
const SEEDS = Number(process.env.ALMANAC_TEST_SEEDS ?? 50)
const STEPS = Number(process.env.ALMANAC_TEST_STEPS ?? 2_000)
const FIRST_SEED = Number(process.env.ALMANAC_TEST_SEED ?? Date.now() % 1_000_000)
const ENOUGH_SEEDS = 50
/** Runs of 2,000 steps that showed a fault. */
const found: readonly (readonly [string, number])[] = [
  ['calls that are reserved while the month changes stay charged', 62],
  ['a call that waits while the month changes leaves its reservation charged', 492],
]
const MS_A_SEED = 10_000

describe('the world of access', () => {
  it.each(found)('no longer shows: %s', async (_, seed) => {
    expect((await runAccessWorld(seed, 2_000)).complaints).toEqual([])
  })

  it(`keeps every promise, and does the same again: ${SEEDS} seeds from ${FIRST_SEED} on, ${STEPS} steps each`, {
    timeout: SEEDS * MS_A_SEED,
  }, async () => {
    const fired = new Map<string, number>()
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
      const { complaints, trace, fired: counts } = await runAccessWorld(seed, STEPS)
      expect(complaints, `seed ${seed}, ${STEPS} steps`).toEqual([])
      expect((await runAccessWorld(seed, STEPS)).trace, `seed ${seed} again`).toBe(trace)
      for (const [kind, count] of counts) fired.set(kind, (fired.get(kind) ?? 0) + count)
    }
    if (process.env.ALMANAC_TEST_TALLY) console.log([...fired].map(([kind, count]) => `${kind} ${count}`).join(', '))
    if (SEEDS >= ENOUGH_SEEDS) expect(accessFaults.filter((kind) => !fired.has(kind))).toEqual([])
  })
})
