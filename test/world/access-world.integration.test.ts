import { describe, expect, it } from 'vitest'
import { accessFaults, runAccessWorld } from './access-world.ts'

/** Processes on simulated time that share one access store in memory: calls, tickets, streams, and faults. */
const SEEDS = Number(process.env.ALMANAC_TEST_SEEDS ?? 100)
const STEPS = Number(process.env.ALMANAC_TEST_STEPS ?? 2_000)
const FIRST_SEED = Number(process.env.ALMANAC_TEST_SEED ?? Date.now() % 1_000_000)
const ENOUGH_SEEDS = 100
const MS_A_SEED = 10_000

describe('the world of access', () => {
  it(`keeps every promise, and does the same again: ${SEEDS} seeds from ${FIRST_SEED} on, ${STEPS} steps each`, {
    timeout: SEEDS * MS_A_SEED,
  }, async () => {
    const fired = new Map<string, number>()
    const missing = () => (SEEDS >= ENOUGH_SEEDS ? accessFaults.filter((kind) => !fired.has(kind)) : [])
    // What never happened was not tested: further seeds follow until everything has. A few seeds need not have it.
    for (let i = 0; i < SEEDS || (missing().length > 0 && i < 4 * SEEDS); i++) {
      const seed = FIRST_SEED + i
      const { complaints, trace, fired: counts } = await runAccessWorld(seed, STEPS)
      expect(complaints, `seed ${seed}, ${STEPS} steps`).toEqual([])
      expect((await runAccessWorld(seed, STEPS)).trace, `seed ${seed} again`).toBe(trace)
      for (const [kind, count] of counts) fired.set(kind, (fired.get(kind) ?? 0) + count)
    }
    if (process.env.ALMANAC_TEST_TALLY) console.log([...fired].map(([kind, count]) => `${kind} ${count}`).join(', '))
    expect(missing()).toEqual([])
  })
})
