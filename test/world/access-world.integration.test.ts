import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type AccessFault, accessFaults, runAccessWorld } from './access-world.ts'
import { assertSound } from './run-twice.ts'
import type { Run } from './shrink.ts'

/** Processes on simulated time that share one access store in memory: calls, tickets, streams, and faults. */
const SEEDS = Number(process.env.ALMANAC_TEST_SEEDS ?? 100)
const STEPS = Number(process.env.ALMANAC_TEST_STEPS ?? 2_000)
const FIRST_SEED = Number(process.env.ALMANAC_TEST_SEED ?? Date.now() % 1_000_000)
const ENOUGH_SEEDS = 100
const MS_A_SEED = 10_000

const world = { corpus: 'test/world/access-corpus.json', run: runAccessWorld }
type Found = Run<AccessFault> & { readonly found: string }
// Cast: the file's rows are written by hand.
const corpus = JSON.parse(readFileSync(new URL('access-corpus.json', import.meta.url), 'utf8')) as readonly Found[]

describe('the world of access', () => {
  it.each(corpus)('no longer shows: $found', async ({ found: _, ...run }) => {
    await assertSound(world, run)
  })

  it(`keeps every promise, and does the same again: ${SEEDS} seeds from ${FIRST_SEED} on, ${STEPS} steps each`, {
    timeout: SEEDS * MS_A_SEED,
  }, async () => {
    const fired = new Map<string, number>()
    const missing = () => (SEEDS >= ENOUGH_SEEDS ? accessFaults.filter((kind) => !fired.has(kind)) : [])
    // What never happened was not tested: further seeds follow until everything has. A few seeds need not have it.
    for (let i = 0; i < SEEDS || (missing().length > 0 && i < 4 * SEEDS); i++) {
      await assertSound(world, { seed: FIRST_SEED + i, steps: STEPS, kinds: accessFaults }, ({ fired: counts }) => {
        for (const [kind, count] of counts) fired.set(kind, (fired.get(kind) ?? 0) + count)
      })
    }
    if (process.env.ALMANAC_TEST_TALLY) console.log([...fired].map(([kind, count]) => `${kind} ${count}`).join(', '))
    expect(missing()).toEqual([])
  })
})
