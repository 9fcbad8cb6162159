import { marketOf, SIMULATOR } from '../contracts/instruments.ts'
import type { Standing } from '../contracts/records.ts'
import type { SourceInterruption } from '../contracts/resources.ts'
import { sessionAt } from './market-calendar.ts'
import { settleMs } from './source-price.ts'

/**
 * Tells an outage of a source from instruments that are late on their own. A source is silent from the moment at which
 * the prices of all its instruments are stale until the first price comes again. Such an outage is one notice. Any other
 * late instrument speaks for itself.
 *
 * Both follow from the times in standings. They are judged once the other instruments have had time to become late, or
 * to come back (`settleMs`). Timers only say that this time is over.
 */

/** The lateness of an instrument at its source. Times are UTC milliseconds. */
type Lateness = {
  /** When the source's last price became stale. */
  readonly since: number
  /** The source's own time of that price. */
  readonly heardAt: number
  readonly noticedAt: number
  /** pending: not judged yet; told: its recovery is still to be told; quiet: nothing more is to be told. */
  status: 'pending' | 'told' | 'quiet'
  /** Signals of the quote's transitions. They are told only if the instrument is late on its own. */
  stale: string | null
  recovered: string | null
  /** When the source gave a price again. */
  backAt: number | undefined
}
/** The instruments of a source; undefined for one that is current. */
type Members = Map<string, Lateness | undefined>

export type Outages = {
  /** By symbol: the source of its last current price; empty if it never had one. */
  readonly homes: Map<string, string>
  readonly sources: Map<string, Members>
}
export type OutageNotice = { readonly signal: string } | { readonly outage: SourceInterruption }

export const noOutages = (): Outages => ({ homes: new Map(), sources: new Map() })

/** The times, UTC ms, at which lateness can be judged, each with its source. */
export function* dueTimes({ sources }: Outages): Generator<readonly [source: string, dueAt: number]> {
  for (const [source, members] of sources) {
    const dueAt = dueAtOf(source, members)
    if (dueAt !== undefined) yield [source, dueAt]
  }
}

/** Judges all lateness that is due by `at`, and returns what is to be told. */
export function judgeDue({ sources }: Outages, at: number): OutageNotice[] {
  const notices: OutageNotice[] = []
  for (const [source, members] of sources) {
    const dueAt = dueAtOf(source, members)
    if (dueAt !== undefined && dueAt <= at) notices.push(...judge(source, members, at))
  }
  return notices
}

/** Takes the standing of a symbol, and returns what is to be told at once: the recovery of one whose lateness was told. */
export function takeStanding(
  { homes, sources }: Outages,
  { symbol, source, lapse, signal, recorded_at }: Standing,
): OutageNotice[] {
  const at = Date.parse(recorded_at)
  const notices: OutageNotice[] = []
  const isNew = !homes.has(symbol)
  if (lapse) {
    const members = membersOf(sources, lapse.source)
    const known = members.get(symbol)
    const since = Date.parse(lapse.since)
    const stale = source === '' ? signal : null
    // An instrument that is late again before it was judged was never really back.
    if (known?.status === 'pending')
      members.set(symbol, { ...known, stale: known.stale ?? stale, recovered: null, backAt: undefined })
    else {
      const heardAt = Date.parse(lapse.heard_at)
      const late = {
        since,
        heardAt,
        noticedAt: at,
        status: 'pending',
        stale,
        recovered: null,
        backAt: undefined,
      } as const
      members.set(symbol, late)
    }
  }
  if (source === '') {
    if (isNew) homes.set(symbol, lapse?.source ?? '')
    return notices
  }

  // Its lateness was told by a release that recorded no standings.
  if (isNew && signal !== null) notices.push({ signal })
  for (const [name, members] of sources) {
    const late = members.get(symbol)
    if (late?.status === 'told' && signal !== null) notices.push({ signal })
    if (late?.status === 'told') late.status = 'quiet'
    if (late?.status === 'pending') late.recovered = signal
    if (late && name === source) late.backAt ??= at
    if (!late && name !== source) members.delete(symbol)
  }
  const members = membersOf(sources, source)
  // A source that gives a price of another instrument is no longer silent either.
  if (!members.has(symbol)) members.set(symbol, { ...heard, noticedAt: at, backAt: at })
  forgetReturned(members)
  homes.set(symbol, source)
  return notices
}
const heard = { since: 0, heardAt: 0, status: 'quiet', stale: null, recovered: null } as const

function membersOf(sources: Outages['sources'], source: string): Members {
  const members: Members = sources.get(source) ?? new Map()
  sources.set(source, members)
  return members
}

const pendingOf = (members: Members): Lateness[] =>
  [...members.values()].filter((late): late is Lateness => late?.status === 'pending')

function dueAtOf(source: string, members: Members): number | undefined {
  const pending = pendingOf(members)
  if (pending.length === 0) return undefined
  const silence = silenceOf(source, members)
  if (!silence) return Math.min(...pending.map(({ noticedAt }) => noticedAt)) + settleMs(source)
  return silence.until === undefined ? undefined : silence.until + settleMs(source)
}

type Silence = {
  /** Time of the last price before it. */
  readonly since: number
  /** When the first price after it came; undefined while it lasts. */
  readonly until: number | undefined
}

/**
 * The span in which a source gave no price of any instrument: all were stale in it at once, and at least two became so.
 * Undefined if there is none. An instrument whose market is closed cannot become stale, so that its price is current is
 * no sign that the source goes on.
 */
function silenceOf(source: string, members: Members): Silence | undefined {
  if (pendingOf(members).length < 2) return undefined
  const late = [...members.values()].filter((member) => member !== undefined)
  const begun = Math.max(...late.map(({ since }) => since))
  const until = Math.min(...late.map(({ backAt }) => backAt ?? Number.POSITIVE_INFINITY))
  const goesOn = [...members].some(([symbol, member]) => !member && !isPaused(symbol, source, begun))
  if (goesOn || begun >= until) return undefined
  const since = Math.max(...late.map(({ heardAt }) => heardAt))
  return { since, until: until === Number.POSITIVE_INFINITY ? undefined : until }
}

/** Whether an instrument's market is closed at a time, or before its price would have become stale in open time. */
const isPaused = (symbol: string, source: string, at: number): boolean =>
  source !== SIMULATOR &&
  [at, at + settleMs(source)].some((time) => sessionAt(marketOf(symbol), time).market_session === 'closed')

function judge(source: string, members: Members, at: number): OutageNotice[] {
  const silence = silenceOf(source, members)
  const notices: OutageNotice[] = []
  if (silence?.until !== undefined) {
    const instruments = pendingOf(members).length
    const since = new Date(silence.since).toISOString()
    const until = new Date(silence.until).toISOString()
    notices.push({ outage: { source, since, until, instruments } })
  }
  for (const late of pendingOf(members)) {
    const isPartOf = silence !== undefined && (late.backAt !== undefined || late.recovered !== null)
    if (!silence && late.noticedAt + settleMs(source) > at) continue
    if (!isPartOf && late.stale !== null) notices.push({ signal: late.stale })
    if (!isPartOf && late.stale !== null && late.recovered !== null) notices.push({ signal: late.recovered })
    late.status = late.stale !== null && late.recovered === null ? 'told' : 'quiet'
  }
  forgetReturned(members)
  return notices
}

/** Lateness that is over is kept only while other instruments wait to be judged with it. */
function forgetReturned(members: Members): void {
  if (pendingOf(members).length > 0) return
  for (const [symbol, late] of members) if (late?.backAt !== undefined) members.set(symbol, undefined)
}
