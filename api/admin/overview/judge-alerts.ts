import { type AlertCondition, conditions } from './alert-conditions.ts'
import { GAP_MS, type Labels, SAMPLE_MS, type SampleRing } from './sample-ring.ts'

/** Something for which an alert's condition holds now. */
type Case = { readonly summary: string; readonly beganAt: number; readonly fires: boolean }

/**
 * An alert as this process sees it. `fires`: Prometheus would fire it. `holds`: its condition holds, but not for long enough yet.
 * `unknown`: this process should judge it and cannot now. `elsewhere`: it is not for this process to judge. `reason` says why.
 */
export type AlertState = Pick<AlertCondition, 'alert' | 'severity' | 'forMinutes'> & {
  readonly state: 'fires' | 'holds' | 'quiet' | 'unknown' | 'elsewhere'
  readonly cases: readonly Case[]
  readonly reason?: string
}

/** What decides which alerts a process judges. */
export type Judging = {
  readonly roles: readonly string[]
  /** Its roles whose work another process does now. */
  readonly standsBy: readonly string[]
  readonly isReady: boolean
  /** Whether the newest sample tells what is now. */
  readonly isFresh: boolean
}

const rank = { fires: 0, holds: 1, unknown: 2, quiet: 3, elsewhere: 4 } as const

/** Judges every alert by the samples, what fires first. */
export const judgeAlerts = (ring: SampleRing, by: Judging): AlertState[] =>
  conditions.map((one) => judged(one, ring, by)).toSorted((a, b) => rank[a.state] - rank[b.state])

function judged(condition: AlertCondition, ring: SampleRing, by: Judging): AlertState {
  const { alert, severity, forMinutes, summary, judge, unused } = condition
  const told = { alert, severity, forMinutes }
  const not = (state: 'unknown' | 'elsewhere', reason: string): AlertState => ({ ...told, state, cases: [], reason })
  if (typeof judge === 'string') return not('elsewhere', judge)
  const roles = condition.roles.filter((role) => by.roles.includes(role))
  if (roles.length === 0) return not('elsewhere', `a process with the role ${condition.roles.join(' or ')} judges it`)
  if (!by.isFresh) return not('unknown', 'there is no new sample')
  const found = judge(ring)
  if (!found && unused !== undefined && by.isReady) return not('elsewhere', unused)
  if (!found) return not('unknown', 'it is not measured yet')
  const { holdingAt, isLacking } = found
  const { times } = ring
  const newest = times.length - 1
  const cases = holdingAt(newest).map(({ labels, value }) => {
    const beganAt = heldSince(times, newest, (at) => holdingAt(at).some((each) => isSame(each.labels, labels)))
    // A sample stands for the time before it, or an hour of samples would be too short for an alert of an hour.
    const fires = (times[newest] ?? 0) - beganAt + SAMPLE_MS >= forMinutes * 60_000
    return { summary: filledIn(summary, labels, value), beganAt, fires }
  })
  if (cases.length === 0 && isLacking)
    return roles.every((role) => by.standsBy.includes(role))
      ? not('elsewhere', 'another process does this work now')
      : not('unknown', 'a value could not be read, or there is none yet')
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
