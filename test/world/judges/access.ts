import type { AccessEvidence, QuotaCall } from '../access-evidence.ts'
import { isLinearizable, type Operation, quotaModel, ticketModel } from '../linearizability.ts'

/** From docs/streams.md and docs/invariants.md. */
const TICKET_MS = 30_000
const LEASE_MS = 15_000
/** Calls that a process reserves at a time for plans of up to 8,000 calls. */
const BLOCK = 8
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

/** The calls of an account and month that a process has counted on disk and neither granted nor given back. */
type Surplus = {
  readonly process: number
  readonly calls: number
  /** Those of them that a commit which failed was to give back. */
  readonly notGivenBack: number
  /** Refunds that the process may not have decided on before it was killed. */
  readonly undecided: number
}

function surplusesOf({ writes, calls }: AccessEvidence, row: string): Surplus[] {
  const ofRow = calls.filter((call) => rowOf(call) === row)
  const processes = new Set([...writes.filter((write) => write.row === row), ...ofRow].map(({ process }) => process))
  return [...processes].map((process) => {
    const own = writes.filter((write) => write.process === process)
    const ofCount = own.filter((write) => write.row === row)
    const taken = ofRow.filter((call) => call.process === process)
    const committed = sum(ofCount.map((write) => (write.isCommitted ? write.calls : 0)))
    const lastDecision = Math.max(0, ...own.map((write) => (write.isCommitted ? write.decidedAt : 0)))
    return {
      process,
      calls: committed - sum(taken.map(callsOf)),
      notGivenBack: sum(ofCount.map((write) => (write.isCommitted ? 0 : Math.max(0, -write.calls)))),
      undecided: taken.filter((call) => call.outcome === 'refunded' && call.answeredAt >= lastDecision).length,
    }
  })
}

const rowOf = ({ account, month }: QuotaCall): string => `${account}/${month}`
const callsOf = ({ outcome }: QuotaCall): number => (outcome === 'granted' ? 1 : outcome === 'refunded' ? -1 : 0)
const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)

/**
 * An account never gets more calls in a month than its plan has, and in the end at least as many are counted. A process that
 * ended by itself has given everything back, but for what a failed commit was to give back. One that was killed, or whose last
 * writes the store did not answer, keeps at most the block that it held, and the refunds that it had not decided on: its writes
 * are decided in order, so that a new block is on disk only after the one before it was given back. The exception is not excused,
 * because no run has shown it: a block that was being filled while the month ended, if the clock is set back into that month, and
 * the process is killed before it has given the block back.
 */
const judgeQuotas: Judge = (evidence) => {
  const { accounts, calls, counts, returned } = evidence
  return [...Map.groupBy(calls, rowOf)].flatMap(([row, all]) => {
    const complaints: string[] = []
    const plan = accounts.find(({ account }) => account === all[0]?.account)
    const limit = plan?.callsPerMonth ?? 0
    let granted = 0
    let most = 0
    for (const call of all.toSorted((a, b) => a.answeredAt - b.answeredAt)) {
      granted += callsOf(call)
      most = Math.max(most, granted)
    }
    if (most > limit) complaints.push(`${row} got ${most} calls of ${limit}`)
    const counted = counts[row] ?? 0
    if (counted < granted) complaints.push(`${row} got ${granted} calls, and ${counted} are counted`)
    const surpluses = surplusesOf(evidence, row)
    const explained = granted + sum(surpluses.map((surplus) => surplus.calls))
    if (counted !== explained) complaints.push(`${row} has ${counted} calls counted, and ${explained} were written`)
    for (const { process, calls: kept, notGivenBack, undecided } of surpluses) {
      const most = notGivenBack + (returned.includes(process) ? 0 : BLOCK + undecided)
      if (kept < notGivenBack || kept > most)
        complaints.push(`${row} has ${kept} calls that process ${process} counted and nobody got, and may have ${most}`)
    }
    return complaints
  })
}

/** Grants of a month, as a history: refused calls only where processes can hold the rest back, or have lost it. */
const judgeGrants: Judge = (evidence) =>
  [...Map.groupBy(evidence.calls, rowOf)].flatMap(([row, all]) => {
    const limit = evidence.accounts.find(({ account }) => account === all[0]?.account)?.callsPerMonth ?? 0
    // A call that failed, or whose answer nobody heard, was not granted to anybody.
    const history = all.flatMap(({ kind, outcome, calledAt, answeredAt }) =>
      outcome === 'granted' || outcome === 'exhausted' || outcome === 'refunded'
        ? [{ input: kind, output: outcome, calledAt, answeredAt }]
        : [],
    )
    const held = BLOCK * PROCESSES + sum(surplusesOf(evidence, row).map((surplus) => surplus.calls))
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
