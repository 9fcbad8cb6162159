import type { AccessEvidence } from '../access-evidence.ts'
import { isLinearizable, type Operation, quotaModel, ticketModel } from '../linearizability.ts'

/** From docs/streams.md and docs/invariants.md. */
const TICKET_MS = 30_000
const LEASE_MS = 15_000
/** Calls that a process reserves at a time for plans of up to 8,000 calls. */
const BLOCK = 8
/** A process may hold a block while the return of the one before is not on disk yet. */
const BLOCKS_AT_ONCE = 2
/** Time in which a process that stood still, or whose lease has ended, notices it and closes the stream. */
const NOTICE_MS = 1_000

type Judge = (evidence: AccessEvidence) => string[]

/** A ticket opens at most one stream, within its lifetime, and is not used up before somebody has tried it. */
const judgeTickets: Judge = ({ tries }) =>
  [...Map.groupBy(tries, ({ ticket }) => ticket)].flatMap(([ticket, all]) => {
    const complaints: string[] = []
    const redeemed = all.filter(({ outcome }) => outcome === 'redeemed')
    if (redeemed.length > 1) complaints.push(`ticket ${ticket} was redeemed ${redeemed.length} times`)
    for (const { issuedAt, triedAt } of redeemed)
      if (triedAt >= issuedAt + TICKET_MS) complaints.push(`ticket ${ticket} was redeemed after its end`)
    // What a client hears of a ticket that has ended, or is forgotten, depends on clocks.
    const history = all.flatMap(({ outcome, calledAt, answeredAt }): Operation<'redeem', 'redeemed' | 'used'>[] => {
      if (outcome === 'redeemed' || outcome === 'used')
        return [{ input: 'redeem', output: outcome, calledAt, answeredAt }]
      if (outcome !== undefined && outcome !== 'failed') return []
      return [{ input: 'redeem', output: undefined, calledAt, answeredAt: Number.POSITIVE_INFINITY }]
    })
    // A try that came too late also marks the ticket as used.
    const isLate = all.some(({ outcome }) => outcome === 'expired')
    if (!isLate && !isLinearizable(ticketModel, history))
      complaints.push(`the tries of ticket ${ticket} are not linearizable`)
    return complaints
  })

/**
 * An account never gets more calls in a month than its plan has. In the end at least as many are counted, and more only where a
 * process was killed or a commit failed: two blocks of each account for each time.
 */
const judgeQuotas: Judge = ({ accounts, calls, counts, losses }) =>
  [...Map.groupBy(calls, ({ account, month }) => `${account}/${month}`)].flatMap(([row, all]) => {
    const complaints: string[] = []
    const plan = accounts.find(({ account }) => account === all[0]?.account)
    const limit = plan?.callsPerMonth ?? 0
    let granted = 0
    let most = 0
    for (const { outcome } of all.toSorted((a, b) => a.answeredAt - b.answeredAt)) {
      if (outcome === 'granted') granted++
      // A refund may be lost, so that the call stays charged.
      if (outcome === 'refunded') granted--
      most = Math.max(most, granted)
    }
    if (most > limit) complaints.push(`${row} got ${most} calls of ${limit}`)
    const counted = counts[row] ?? 0
    if (counted < granted) complaints.push(`${row} got ${granted} calls, and ${counted} are counted`)
    const lost = BLOCKS_AT_ONCE * BLOCK * losses.length
    if (counted - granted > lost)
      complaints.push(`${row} got ${granted} calls, ${counted} are counted, and at most ${lost} were lost`)
    return complaints
  })

/** Grants of a month, as a history: refused calls only where the other processes can hold the rest back. */
const judgeGrants: Judge = ({ accounts, calls, losses, stops }) =>
  [...Map.groupBy(calls, ({ account, month }) => `${account}/${month}`)].flatMap(([row, all]) => {
    const limit = accounts.find(({ account }) => account === all[0]?.account)?.callsPerMonth ?? 0
    // A call that failed, or whose answer nobody heard, was not granted to anybody.
    const history = all.flatMap(({ kind, outcome, calledAt, answeredAt }) =>
      outcome === 'granted' || outcome === 'exhausted' || outcome === 'refunded'
        ? [{ input: kind, output: outcome, calledAt, answeredAt }]
        : [],
    )
    const held = BLOCK * (PROCESSES + losses.length + stops.length)
    return isLinearizable(quotaModel(limit, held), history) ? [] : [`the calls of ${row} are not linearizable`]
  })
/** Most processes at a time. */
const PROCESSES = 3

/**
 * An account never has more streams open than its plan allows. A process that stands still sends nothing, and has a moment to
 * notice that its leases have ended. When the clock was set forward, so do all.
 */
const judgeStreams: Judge = ({ accounts, streams, stops, clockForward }) =>
  accounts.flatMap(({ account, streams: limit }) => {
    const own = streams.filter((stream) => stream.account === account)
    const countAt = (at: number) =>
      own.filter(
        ({ process, from, to }) =>
          from <= at &&
          at < to &&
          !stops.some((stop) => stop.process === process && stop.from <= at && at < stop.to + NOTICE_MS),
      ).length
    const isExcused = (at: number) => clockForward.some((set) => set <= at && at < set + LEASE_MS)
    return own
      .filter(({ from }) => !isExcused(from) && countAt(from) > limit)
      .map(({ from }) => `${account} had ${countAt(from)} streams of ${limit} open at ${from}`)
  })

/** Once no stream is open, all of an account's streams are free again. */
const judgeFree: Judge = ({ accounts, free }) =>
  accounts
    .filter(({ account, streams }) => free[account] !== streams)
    .map(({ account, streams }) => `${account} could open ${free[account]} of its ${streams} streams in the end`)

const judges: Readonly<Record<string, Judge>> = {
  failures: ({ failures }) => [...failures],
  tickets: judgeTickets,
  quotas: judgeQuotas,
  grants: judgeGrants,
  'open streams': judgeStreams,
  'free streams': judgeFree,
}

/** The complaints of all judges of access, each with the judge's name. */
export const judgeAccess = (evidence: AccessEvidence): string[] =>
  Object.entries(judges).flatMap(([name, judge]) => judge(evidence).map((text) => `${name}: ${text}`))
