import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import type { Burst } from '../../../access/burst.ts'
import { AccessEnvironment } from '../../../access/embedded/environment.ts'
import { EmbeddedLeases } from '../../../access/embedded/leases.ts'
import { EmbeddedRevocations } from '../../../access/embedded/revocations.ts'
import { EmbeddedTickets } from '../../../access/embedded/tickets.ts'
import { AccessError } from '../../../access/error.ts'
import { identityOf } from '../../../access/identity.ts'
import { KeyTable } from '../../../access/key-table.ts'
import { createKey } from '../../../access/keys.ts'
import type { QuotaDecision } from '../../../access/quota.ts'
import { type Admission, type Arrival, StreamDoor, type StreamDoorParts } from '../../../access/stream-door.ts'
import { systemTime } from '../../../base/time.ts'
import { plans } from '../../../contracts/plans.ts'
import type { Plan } from '../../../contracts/resources.ts'
import { timeWith } from '../../support/wall-clock.ts'

export const NOON = Date.UTC(2026, 8, 15, 12)
export const ORIGIN = 'https://app.example.com'

const unlimited: Burst = { take: () => ({ allowed: true, remaining: 1, resetAfter: 0, retryAfter: 0 }) }

/** A door for one key, as `doorFor` makes it. */
export type KeyDoor = ReturnType<Awaited<ReturnType<typeof openDoors>>['doorFor']>

/** Opens an embedded access store for the tests of a file, and closes it after them. */
export async function openDoors() {
  const dir = mkdtempSync(join(tmpdir(), 'almanac-stream-door-'))
  const environment = await AccessEnvironment.open(dir, systemTime)
  const revocations = new EmbeddedRevocations(environment)
  const leases = new EmbeddedLeases(environment, revocations)
  const tickets = new EmbeddedTickets(environment, revocations)
  afterAll(async () => {
    await environment.close()
    rmSync(dir, { recursive: true, force: true })
  })

  /** A door before the embedded store, a quota that can be short or away, and one key of a plan. */
  function doorFor(plan: Plan, change: Partial<StreamDoorParts> = {}) {
    const { key, record } = createKey(
      { kind: 'live', plan, owner: 'TEST', origins: [ORIGIN], expiresAt: NOON + 3_600_000 },
      NOON,
      randomBytes,
    )
    const keys = new KeyTable()
    keys.apply(record)
    const time = { now: NOON, passed: 0 }
    const quota = {
      outcome: 'granted' as QuotaDecision['outcome'] | 'away',
      asked: 0,
      take: async (): Promise<QuotaDecision> => {
        quota.asked++
        if (quota.outcome === 'away') throw new AccessError('unavailable', 'away')
        return { outcome: quota.outcome, used: 1, remaining: 1, resetAt: NOON }
      },
    }
    const door = new StreamDoor({
      keys,
      burst: unlimited,
      leases,
      tickets,
      quota,
      revocations,
      plans,
      time: timeWith(
        () => time.now,
        () => time.passed,
      ),
      ...change,
    })
    const authorization = `Bearer ${key}`
    const enter = (arrival: Partial<Arrival> = {}) => door.enter({ stream: 'events', authorization, ...arrival })
    const admitted = async (arrival: Partial<Arrival> = {}): Promise<Admission> => {
      const outcome = await enter(arrival)
      if ('refused' in outcome) throw new Error(`refused: ${outcome.refused} ${outcome.cause}`)
      return outcome
    }
    const ticketFor = async (stream: Arrival['stream'] = 'events') => {
      const issued = await tickets.issue({ ...identityOf(record), stream, origin: ORIGIN }, time.now)
      return 'ticket' in issued ? issued.ticket : ''
    }
    const open = () => leases.count(identityOf(record), time.now)
    const withTicket = (ticket: string, more: Partial<Arrival> = {}) =>
      enter({ authorization: undefined, ticket, origin: ORIGIN, ...more })
    return { door, keys, record, time, quota, authorization, enter, admitted, ticketFor, withTicket, open }
  }

  return { doorFor, leases, tickets, revocations }
}
