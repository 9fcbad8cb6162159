import type { OverviewFacts, ProcessVerdict } from './facts.ts'
import { type AlertState, judgeAlerts } from './judge-alerts.ts'
import {
  GAP_MS,
  increaseAt,
  quantileOf,
  ratesOf,
  risesOf,
  type SampleRing,
  type SampleValues,
  sumOf,
} from './sample-ring.ts'
import { spanText } from './texts.ts'

const MINUTE_MS = 60_000

/** An hour of one value. */
export type Line = { readonly name: string; readonly values: SampleValues }
/** What moves on: `rates` a second, `rate` that of the last minute, `rise` that of the hour. */
type Moving = {
  readonly name: string
  readonly rate: number | null
  readonly rise: number
  readonly rates: SampleValues
}
/** What follows a topic: `lags` in offsets. */
export type Following = Omit<Moving, 'rise'> & { readonly lag: number | null; readonly lags: SampleValues }

/** What should be looked at though it is no alert that fires: numbers of it. */
type Concerns = {
  /** Alerts whose condition holds, not for long enough yet. */
  readonly near: number
  readonly failingSources: number
  readonly archive: number
  readonly streams: number
  /** Parts that do not answer what the page asks them. */
  readonly unanswered: number
  /** The disk of the data directory is nearly full. */
  readonly disk: number
}

/** Share of the disk below which its free space is a concern. */
const LITTLE_DISK = 0.05

/** Everything that the overview shows. Times are UTC milliseconds. */
export type Overview = {
  readonly at: number
  readonly verdict: ProcessVerdict
  /** Why it cannot be said that all is well; null if every alert of this process is judged. */
  readonly doubt: string | null
  readonly concerns: Concerns
  readonly sampledAt: readonly number[]
  readonly alerts: readonly AlertState[]
  readonly requests: readonly Moving[]
  /** Seconds below which half, and 99 of 100, of the answers of a minute stayed. */
  readonly latency: readonly Line[]
  readonly streams: readonly Line[]
  readonly connections: readonly Line[]
  readonly topics: readonly Moving[]
  readonly processors: readonly Following[]
  readonly projections: readonly Following[]
  readonly userProjections: readonly Following[]
  readonly memoryBytes: SampleValues
  /** Seconds of CPU time a second. */
  readonly cpu: SampleValues
  readonly diskFreeBytes: SampleValues
  readonly diskSizeBytes: number | null
  /** When the newest release that is served was recorded. */
  readonly newestReleaseAt: number | null
  /** Offsets that are not archived yet, of the topic that is furthest behind. */
  readonly archiveLag: number | null
} & OverviewFacts

/** `at`: the wall clock now. `monotonic`: the clock of the samples now. */
export function overviewOf(ring: SampleRing, facts: OverviewFacts, at: number, monotonic: number): Overview {
  const { times } = ring
  const ageMs = monotonic - (times.at(-1) ?? Number.NEGATIVE_INFINITY)
  // By the wall clock as it is now: what is shown stays in order after it was set.
  const shown = (time: number) => Math.round(time + at - monotonic)
  const only = (metric: string): SampleValues => ring.series(metric)[0]?.values ?? []
  const lines = (metric: string, by: string): Line[] =>
    ring.series(metric).map(({ labels, values }) => ({ name: labels[by] ?? '', values }))
  const projections = following(ring, 'almanac_projection', 'offsets', 'view')
  const isUsers = ({ name }: Following) => name.startsWith('user_')
  const lags = ring.series('almanac_archive_lag_offsets').flatMap(({ values }) => values.at(-1) ?? [])
  const { roles, isReady } = facts.process
  const judging = { roles, isReady, standsBy: standsBy(ring, facts), isFresh: ageMs <= GAP_MS }
  const alerts = judgeAlerts(ring, judging).map((one) => ({
    ...one,
    cases: one.cases.map((each) => ({ ...each, beganAt: shown(each.beganAt) })),
  }))
  const diskFreeBytes = only('almanac_data_disk_free_bytes')
  const diskSizeBytes = only('almanac_data_disk_size_bytes').at(-1) ?? null
  const isDiskLow = (diskFreeBytes.at(-1) ?? Number.POSITIVE_INFINITY) < LITTLE_DISK * (diskSizeBytes ?? 0)
  const concerns = concernsOf(alerts, isDiskLow, facts)
  const doubt = doubtOf(ageMs, isReady, alerts)
  return {
    at,
    verdict: verdictOf(doubt, alerts, concerns),
    doubt,
    concerns,
    sampledAt: times.map(shown),
    alerts,
    requests: moving(ring, 'almanac_http_request_seconds_count', 'status', true),
    latency: [0.5, 0.99].map((share) => ({ name: `p${share * 100}`, values: quantiles(ring, share) })),
    streams: lines('almanac_stream_connections', 'stream'),
    connections: lines('almanac_connections', 'port'),
    topics: moving(ring, 'almanac_journal_end_offset', 'topic', false),
    processors: following(ring, 'almanac_processor', 'offset', 'processor'),
    projections: projections.filter((one) => !isUsers(one)),
    userProjections: projections.filter(isUsers),
    memoryBytes: only('process_resident_memory_bytes'),
    cpu: ratesOf(
      times,
      sumOf(['user', 'system'].map((kind) => risesOf(only(`process_cpu_${kind}_seconds_total`), true))),
    ),
    diskFreeBytes,
    diskSizeBytes,
    newestReleaseAt: (only('almanac_data_as_of_timestamp_seconds').at(-1) ?? 0) * 1_000 || null,
    archiveLag: lags.length === 0 ? null : Math.max(...lags),
    ...facts,
  }
}

function concernsOf(
  alerts: readonly AlertState[],
  isDiskLow: boolean,
  { sources, quota, engine, archive, process: { streams } }: OverviewFacts,
): Concerns {
  return {
    near: alerts.filter(({ state }) => state === 'holds').length,
    failingSources: Array.isArray(sources) ? sources.filter(({ failing }) => failing.length > 0).length : 0,
    archive: archive && archive.fault !== null ? 1 : 0,
    streams: streams && streams.verdict !== 'well' ? 1 : 0,
    unanswered: [sources, quota, engine].filter((told) => told === 'unavailable').length,
    disk: isDiskLow ? 1 : 0,
  }
}

/** Roles whose work another process does now. Only one that shares its journal can leave it to another. */
function standsBy(ring: SampleRing, { process: { isShared }, archive }: OverviewFacts): string[] {
  if (!isShared) return []
  const runsNone = ring.series('almanac_processor_position_offset').every(({ values }) => values.at(-1) === undefined)
  const keepsNone = archive && !archive.isOwner && archive.fault === null
  return [...(runsNone ? ['processors'] : []), ...(keepsNone ? ['archive'] : [])]
}

/** Why alerts that do not fire say little. */
function doubtOf(ageMs: number, isReady: boolean, alerts: readonly AlertState[]): string | null {
  if (ageMs === Number.POSITIVE_INFINITY) return 'No samples yet'
  if (ageMs > GAP_MS) return `The newest sample is ${spanText(ageMs)} old`
  if (!isReady) return 'Not ready: still starting'
  const unjudged = alerts.filter(({ state }) => state === 'unknown').length
  if (unjudged === 0) return null
  return unjudged === 1 ? 'One alert is not judged yet' : `${unjudged} alerts are not judged yet`
}

function verdictOf(doubt: string | null, alerts: readonly AlertState[], concerns: Concerns): ProcessVerdict {
  if (alerts.some(({ state }) => state === 'fires')) return 'alerts'
  if (doubt !== null) return 'unknown'
  return Object.values(concerns).some((count) => count > 0) ? 'concerns' : 'well'
}

/** How a metric's series rise, by a label, in the order of its values. */
function moving(ring: SampleRing, metric: string, by: string, isCounter: boolean): Moving[] {
  const { times } = ring
  const groups = Map.groupBy(ring.series(metric), ({ labels }) => labels[by] ?? '')
  return [...groups]
    .map(([name, all]) => {
      const rises = sumOf(all.map(({ values }) => risesOf(values, isCounter)))
      const rise = rises.reduce<number>((sum, each) => sum + (each ?? 0), 0)
      return { name, rate: lastRate(times, rises), rise, rates: ratesOf(times, rises) }
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** Rate of the last minute, or of what is known of it. */
function lastRate(times: readonly number[], rises: SampleValues): number | null {
  const at = times.length - 1
  const increase = increaseAt(times, rises, at, MINUTE_MS)
  const first = times.findIndex((time) => time >= (times[at] ?? 0) - MINUTE_MS)
  const seconds = ((times[at] ?? 0) - (times[first] ?? 0)) / 1_000
  return increase === undefined || seconds <= 0 ? null : increase / seconds
}

/** What has a lag or a position now, the furthest behind first. */
function following(ring: SampleRing, metric: string, unit: string, by: string): Following[] {
  const positions = new Map(moving(ring, `${metric}_position_${unit}`, by, false).map((one) => [one.name, one]))
  return ring
    .series(`${metric}_lag_offsets`)
    .map(({ labels, values }) => {
      const name = labels[by] ?? ''
      const { rate = null, rates = [] } = positions.get(name) ?? {}
      return { name, rate, rates, lag: values.at(-1) ?? null, lags: values }
    })
    .toSorted((a, b) => (b.lag ?? -1) - (a.lag ?? -1) || (a.name < b.name ? -1 : 1))
}

/** The value below which a share of the answers of the minute before each sample stayed. */
function quantiles(ring: SampleRing, share: number): SampleValues {
  const { times } = ring
  const buckets = ring
    .series('almanac_http_request_seconds_bucket')
    .map(({ labels, values }) => ({
      bound: labels.le === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels.le),
      rises: risesOf(values, true),
    }))
    .toSorted((a, b) => a.bound - b.bound)
  return times.map((_, at) =>
    quantileOf(
      share,
      buckets.map(({ bound, rises }) => [bound, increaseAt(times, rises, at, MINUTE_MS) ?? 0] as const),
    ),
  )
}

/** The overview as JSON for programs: names with underscores, times in ISO 8601, and null where a sample has no value. */
export const overviewJson = (overview: Overview): unknown => jsonOf(overview, false)

function jsonOf(value: unknown, isTime: boolean): unknown {
  if (typeof value === 'number') return isTime ? new Date(value).toISOString() : Number(value.toPrecision(12))
  if (Array.isArray(value)) return value.map((each) => jsonOf(each ?? null, isTime))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      jsonOf(each, /(?:^a|A)t$/.test(name)),
    ]),
  )
}
