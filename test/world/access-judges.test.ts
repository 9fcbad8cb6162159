import { describe, expect, it } from 'vitest'
import type { AccessEvidence, QuotaCall, TicketTry } from './access-evidence.ts'
import { judgeAccess } from './judges/access.ts'
import type { Forged } from './sound-evidence.ts'

const take = (at: number, outcome: QuotaCall['outcome']): QuotaCall => ({
  kind: 'take',
  account: 'b',
  month: '2026-01',
  calledAt: at,
  answeredAt: at + 1,
  outcome,
})
const redeem = (ticket: number, at: number, outcome: TicketTry['outcome']): TicketTry => ({
  ticket,
  issuedAt: 1_000_000,
  triedAt: 1_000_000 + at,
  calledAt: at,
  answeredAt: at + 5,
  outcome,
})

/** A short run in which no promise is broken, of two accounts. */
function soundEvidence(): Forged<AccessEvidence> {
  const calls = Array.from({ length: 40 }, (_, i) => take(10 * i, 'granted'))
  const evidence: AccessEvidence = {
    accounts: [
      { account: 'a', callsPerMonth: 40, streams: 1 },
      { account: 'b', callsPerMonth: 40, streams: 2 },
    ],
    calls: [...calls, take(500, 'exhausted')],
    counts: { 'b/2026-01': 40 },
    losses: [],
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
  ['quotas', 'one call too many', ({ calls }) => calls.push(take(600, 'granted'))],
  ['quotas', 'a call that is not counted', ({ counts }) => (counts['b/2026-01'] = 39)],
  ['quotas', 'a call that nobody got', ({ counts }) => (counts['b/2026-01'] = 41)],
  [
    'quotas',
    'more than two blocks lost by a kill',
    (e) => {
      e.losses.push(5)
      e.counts['b/2026-01'] = 57
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
  it('excuse two blocks for each kill, and streams of a process that stands still', () => {
    const evidence = soundEvidence()
    evidence.losses.push(5)
    evidence.counts['b/2026-01'] = 56
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
