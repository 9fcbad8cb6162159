import { type AlertCondition, conditions } from './alert-conditions.ts'
import { GAP_MS, type Labels, SAMPLE_MS, type SampleRing } from './sample-ring.ts'

/** Something for which an alert's condition holds now. */
type Case = { readonly summary: string; readonly beganAt: number; readonly fires: boolean }

/**
 * An alert as this process sees it. `fires`: Prometheus would fire it. `holds`: its condition holds, but not for long enough
 * yet. `unknown`: nothing here can tell, and `reason` says why.
 */
export type AlertState = Pick<AlertCondition, 'alert' | 'severity' | 'forMinutes'> & {
  readonly state: 'fires' | 'holds' | 'quiet' | 'unknown'
  readonly cases: readonly Case[]
  readonly reason?: string
}

const rank = { fires: 0, holds: 1, quiet: 2, unknown: 3 } as const

/** Judges every alert by the samples, what fires first. */
export const judgeAlerts = (ring: SampleRing): AlertState[] =>
  conditions.map((one) => judged(one, ring)).toSorted((a, b) => rank[a.state] - rank[b.state])

function judged({ alert, severity, forMinutes, summary, judge }: AlertCondition, ring: SampleRing): AlertState {
  const told = { alert, severity, forMinutes }
  if (typeof judge === 'string') return { ...told, state: 'unknown', cases: [], reason: judge }
  const holdingAt = judge(ring)
  if (!holdingAt) return { ...told, state: 'unknown', cases: [], reason: 'this process does not measure it' }
  const { times } = ring
  const newest = times.length - 1
  const cases = holdingAt(newest).map(({ labels, value }) => {
    const beganAt = heldSince(times, newest, (at) => holdingAt(at).some((each) => isSame(each.labels, labels)))
    // A sample stands for the time before it, or an hour of samples would be too short for an alert of an hour.
    const fires = (times[newest] ?? 0) - beganAt + SAMPLE_MS >= forMinutes * 60_000
    return { summary: filledIn(summary, labels, value), beganAt, fires }
  })
  const state = cases.some(({ fires }) => fires) ? 'fires' : cases.length > 0 ? 'holds' : 'quiet'
  return { ...told, state, cases }
}

/** Time of the first sample from which on something has held without a break. */
function heldSince(times: readonly number[], newest: number, holds: (at: number) => boolean): number {
  let first = newest
  while (first > 0 && (times[first] ?? 0) - (times[first - 1] ?? 0) <= GAP_MS && holds(first - 1)) first--
  return times[first] ?? 0
}

const isSame = (a: Labels, b: Labels): boolean => JSON.stringify(a) === JSON.stringify(b)

const filledIn = (summary: string, labels: Labels, value: number): string =>
  summary
    .replace(/\{\{ \$labels\.(\w+) \}\}/g, (_, label: string) => labels[label] ?? '')
    .replace('{{ $value }}', String(value))
