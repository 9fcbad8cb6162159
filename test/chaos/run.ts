import { assess, type Since, sinceNow } from './assess.ts'
import { drawFaults, type Faults, type Victim } from './draw.ts'
import { randomOf } from './random.ts'
import { runRound } from './round.ts'
import { createWorld, destroyWorld, type World } from './world.ts'

export type ChaosOptions = {
  readonly rounds: number
  readonly seed: number
  /** Faults of each round (from 0); absent: drawn. */
  readonly faultsOf?: (round: number) => Faults
  /** For everything that the run writes; it must be empty or not there. */
  readonly directory: string
  /** Added to the service's settings. */
  readonly settings?: Readonly<Record<string, string>>
  readonly report: (line: string) => void
  /** Called after the last round; what it breaks must be noticed. */
  readonly sabotage?: (world: World) => Promise<void>
}

export type ChaosSummary = {
  readonly rounds: number
  readonly killed: Readonly<Partial<Record<Victim, number>>>
  readonly releases: number
  readonly events: number
  readonly ticks: number
  readonly reconnections: number
  /** How often the service ended a subscriber's connection with each code. */
  readonly endings: Readonly<Record<string, number>>
  /** Empty if everything held. The run ends with the round in which the first is found. */
  readonly violations: readonly string[]
  /** Output of the service since its last start, where there are violations. */
  readonly output: string
}

const FULL_EVERY = 20

/**
 * Kills a random process of a real service in each round while figures, revisions and ticks arrive, and judges afterwards
 * by public surfaces alone that nothing was lost, doubled or put out of order. Faults follow from the seed; the instants
 * at which they hit depend on the machine. Throws where the run itself fails.
 */
export async function runChaos(options: ChaosOptions): Promise<ChaosSummary> {
  const random = randomOf(options.seed)
  const { rounds, directory, settings, report, sabotage, faultsOf = () => drawFaults(random) } = options
  const world = await createWorld(directory, random, settings)
  const killed: Partial<Record<Victim, number>> = {}
  const violations: string[] = []
  let since: Since | undefined
  let round = 0
  let hasClockMoved = false
  try {
    while (round < rounds && violations.length === 0) {
      round++
      const began = performance.now()
      const faults = faultsOf(round - 1)
      const revokedBefore = endingsOf(world).revoked ?? 0
      // A lease that a moved clock ended early is noticed with its next renewal, which may be in the next round.
      const mayLoseLeases = hasClockMoved || faults.clockOffsetMs !== undefined
      hasClockMoved = faults.clockOffsetMs !== undefined
      const outcome = await runRound(world, faults, random)
      if (outcome.killed) killed[outcome.killed] = (killed[outcome.killed] ?? 0) + 1
      const back = performance.now()
      const isFull = round % FULL_EVERY === 0 || round === rounds
      violations.push(
        ...outcome.violations,
        ...(await assess(world, random, isFull || !since ? { isThorough: isFull } : { since, isThorough: false })),
      )
      const revoked = (endingsOf(world).revoked ?? 0) - revokedBefore
      if (revoked > 0 && !mayLoseLeases) violations.push(`${revoked} streams of a valid key ended with revoked`)
      since = sinceNow(world)
      const seconds = (from: number, to: number) => `${((to - from) / 1_000).toFixed(1)} s`
      const happened = [
        ...(outcome.killed ? [`${outcome.killed} killed`] : []),
        ...(faults.stop ? [`${faults.stop.name} stopped ${faults.stop.forMs} ms`] : []),
        ...(faults.clockOffsetMs === undefined ? [] : [`clock ${faults.clockOffsetMs / 60_000} min`]),
      ]
      const { releases, events, ticks } = world.journal
      report(
        `round ${round}/${rounds}: ${happened.join(', ')}; ` +
          `${releases.length} releases, ${events.length} events, ${ticks.flat().length} ticks; ` +
          `arrived in ${seconds(began, back)}, ${isFull ? 'fully ' : ''}judged in ${seconds(back, performance.now())}`,
      )
      for (const violation of violations) report(`  VIOLATION ${violation.slice(0, 2_000)}`)
    }
    if (sabotage && violations.length === 0) {
      await sabotage(world)
      violations.push(...(await assess(world, random, { isThorough: false, withinMs: 0 })))
    }
    const { releases, events, ticks } = world.journal
    return {
      rounds: round,
      killed,
      violations,
      releases: releases.length,
      events: events.length,
      ticks: ticks.flat().length,
      reconnections: world.subscribers.reduce((sum, { connections }) => sum + connections - 1, 0),
      endings: endingsOf(world),
      output: violations.length > 0 ? world.service.output : '',
    }
  } finally {
    await destroyWorld(world)
  }
}

function endingsOf({ subscribers }: World): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const { endings } of subscribers) for (const [code, times] of endings) sums[code] = (sums[code] ?? 0) + times
  return sums
}
