import type { Random } from './random.ts'

export const victims = ['supervisor', 'store', 'node', 'streams', 'ingest'] as const
export type Victim = (typeof victims)[number]
export const serviceProcesses = ['supervisor', 'store', 'node', 'streams'] as const

/** Faults of a round: a process is killed, one is stopped for a while, the clock is set. */
export type Faults = {
  /** `otherwise` is killed instead where the ingest command has already ended; `afterMs` counts from that command's start. */
  readonly kill: { readonly name: Victim; readonly otherwise: Victim; readonly afterMs: number } | undefined
  readonly stop: { readonly name: Victim; readonly afterMs: number; readonly forMs: number } | undefined
  /** Where the wall clock of all processes is set to, ms from the true time; undefined: not set. */
  readonly clockOffsetMs: number | undefined
}

export const HOUR_MS = 3_600_000

/** Always a kill; at times also one of the others. */
export function drawFaults(random: Random): Faults {
  const name = random.pick(victims)
  // The command ends by itself after a second or two.
  const kill = {
    name,
    otherwise: random.pick(serviceProcesses),
    afterMs: random.below(name === 'ingest' ? 1_200 : 3_000),
  }
  const stop = { name: random.pick(serviceProcesses), afterMs: random.below(1_000), forMs: 500 + random.below(3_500) }
  const clockOffsetMs = random.pick([-HOUR_MS, 0, HOUR_MS])
  return {
    kill,
    stop: random.next() < 0.25 ? stop : undefined,
    clockOffsetMs: random.next() < 0.15 ? clockOffsetMs : undefined,
  }
}
