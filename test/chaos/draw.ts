import type { Random } from './random.ts'

export const victims = ['supervisor', 'store', 'node', 'streams', 'ingest'] as const
export type Victim = (typeof victims)[number]
const serviceProcesses = ['supervisor', 'store', 'node', 'streams'] as const

/** What goes wrong in a round: one process is killed, and at times another is stopped for a while or the clock is set. */
export type Faults = {
  readonly victim: Victim
  /** Killed instead where the ingest command has already ended. */
  readonly otherwise: Victim
  /** After the ingest command was started, ms. */
  readonly killAfterMs: number
  readonly stop: { readonly name: Victim; readonly afterMs: number; readonly forMs: number } | undefined
  /** Where the wall clock of all processes is set to, ms from the true time; undefined: not set. */
  readonly clockOffsetMs: number | undefined
}

const HOUR_MS = 3_600_000

export function drawFaults(random: Random): Faults {
  const victim = random.pick(victims)
  const otherwise = random.pick(serviceProcesses)
  const killAfterMs = random.below(3_000)
  const stop = { name: random.pick(serviceProcesses), afterMs: random.below(1_000), forMs: 500 + random.below(3_500) }
  const clockOffsetMs = random.pick([-HOUR_MS, 0, HOUR_MS])
  return {
    ...{ victim, otherwise, killAfterMs },
    stop: random.next() < 0.25 ? stop : undefined,
    clockOffsetMs: random.next() < 0.15 ? clockOffsetMs : undefined,
  }
}
