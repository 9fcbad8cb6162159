import { describe, expect, it } from 'vitest'
import type { AccessEvidence, CountWrite, QuotaCall, TicketTry } from './access-evidence.ts'
import { judgeAccess } from './judges/access.ts'
import type { Forged } from './sound-evidence.ts'

const take = (at: number, outcome: QuotaCall['outcome']): QuotaCall => ({
  kind: 'take',
  process: 1,
  account: 'b',
  month: '2026-01',
  calledAt: at,
  answeredAt: at + 1,
  outcome,
})
/** A change of the count of account b. */
const write = (process: number, decidedAt: number, calls: number, isCommitted = true): CountWrite => ({
  process,
  row: 'b/2026-01',
  calls,
  decidedAt,
  isCommitted,
})
const redeem = (ticket: number, at: number, outcome: TicketTry['outcome']): TicketTry => ({
  ticket,
  issuedAt: 1_000_000,
  triedAt: 1_000_000 + at,
  calledAt: at,
  answeredAt: at + 5,
  outcome,
})

/**
 * A short run in which no promise is broken, of two accounts. The first process has given back what it did not need. The second was
 * killed with a full block, and the third gave a block back by a commit that failed.
 */
function soundEvidence(): Forged<AccessEvidence> {
  const calls = Array.from({ length: 20 }, (_, i) => take(10 * i, 'granted'))
  const evidence: AccessEvidence = {
    accounts: [
      { account: 'a', callsPerMonth: 40, streams: 1 },
      { account: 'b', callsPerMonth: 44, streams: 2 },
    ],
    calls: [...calls, take(500, 'exhausted')],
    counts: { 'b/2026-01': 36 },
    writes: [
      write(1, 0, 8),
      write(1, 90, 16),
      write(1, 210, -4),
      write(2, 5, 8),
      write(3, 6, 8),
      write(3, 80, -8, false),
    ],
    returned: [1, 3],
    tries: [redeem(1, 0, 'redeemed'), redeem(1, 3, 'used'), redeem(2, 40, 'failed'), redeem(2, 50, 'used')],
    streams: [
      { account: 'b', process: 1, from: 0, to: 40_000 },
      { account: 'b', process: 2, from: 10, to: 20 },
      { account: 'b', process: 2, from: 20, to: 30 },
    ],
    stops: [],
    clockForward: [],
    free: { a: 1, b: 2 },
    failures: [],
  }
  // Cast: a copy of its own may be changed.
  return structuredClone(evidence) as Forged<AccessEvidence>
}

type Fault = readonly [judge: string, what: string, plant: (evidence: Forged<AccessEvidence>) => unknown]

const faults: readonly Fault[] = [
  ['failures', 'a failure', ({ failures }) => failures.push('TEST')],
  ['tickets', 'a ticket that opens two streams', ({ tries }) => tries.push(redeem(1, 60, 'redeemed'))],
  ['tickets', 'a second ticket that is used before it is redeemed', ({ tries }) => tries.push(redeem(3, 0, 'used'))],
  ['tickets', 'a ticket that is redeemed after its end', ({ tries }) => tries.push(redeem(3, 30_000, 'redeemed'))],
  ['quotas', 'one call too many', ({ calls }) => calls.push(...Array.from({ length: 25 }, () => take(600, 'granted')))],
  ['quotas', 'a call that is not counted', ({ counts }) => (counts['b/2026-01'] = 35)],
  ['quotas', 'a call that is counted and that nobody wrote', ({ counts }) => (counts['b/2026-01'] = 37)],
  ['quotas', 'more calls than the process has counted', ({ calls }) => calls.push(take(300, 'granted'))],
  [
    'quotas',
    'a call that a process kept which ended by itself',
    (e) => {
      e.writes.push(write(1, 220, 1))
      e.counts['b/2026-01'] = 37
    },
  ],
  [
    'quotas',
    'more than a block lost by a kill',
    (e) => {
      e.writes.push(write(2, 220, 1))
      e.counts['b/2026-01'] = 37
    },
  ],
  [
    'quotas',
    'more lost by a failed commit than it was to give back',
    (e) => {
      e.writes.push(write(3, 220, 1))
      e.counts['b/2026-01'] = 37
    },
  ],
  [
    'quotas',
    'a refund that was decided on before a kill, and not counted',
    (e) => {
      e.calls.push({ ...take(1, 'granted'), process: 2 }, { ...take(3, 'refunded'), kind: 'refund', process: 2 })
      e.writes.push(write(2, 6, 1))
      e.counts['b/2026-01'] = 37
    },
  ],
  ['grants', 'a refusal at the start', ({ calls }) => calls.unshift(take(-10, 'exhausted'))],
  [
    'open streams',
    'a third stream of two',
    ({ streams }) => streams.push({ account: 'b', process: 2, from: 15, to: 18 }),
  ],
  ['free streams', 'a second stream that does not come free', ({ free }) => (free.b = 1)],
]

describe('the judges of access', () => {
  it('find no fault in a sound run', () => {
    expect(judgeAccess(soundEvidence() as AccessEvidence)).toEqual([])
  })
  it('excuse a refund that a killed process had not decided on', () => {
    const evidence = soundEvidence()
    evidence.calls.push({ ...take(1, 'granted'), process: 2 }, { ...take(7, 'refunded'), kind: 'refund', process: 2 })
    evidence.writes.push(write(2, 6, 1))
    evidence.counts['b/2026-01'] = 37
    expect(judgeAccess(evidence as AccessEvidence)).toEqual([])
  })
  it('excuse streams of a process that stands still', () => {
    const evidence = soundEvidence()
    evidence.stops.push({ process: 1, from: 100, to: 30_000 })
    evidence.streams.push(
      { account: 'b', process: 3, from: 16_000, to: 20_000 },
      { account: 'b', process: 3, from: 16_001, to: 20_000 },
    )
    expect(judgeAccess(evidence as AccessEvidence)).toEqual([])
  })
  it.each(faults)('%s: %s', (judge, _, plant) => {
    const evidence = soundEvidence()
    plant(evidence)
    expect(judgeAccess(evidence as AccessEvidence).map((text) => text.split(':')[0])).toContain(judge)
  })
})
