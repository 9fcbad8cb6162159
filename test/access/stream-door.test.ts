import { describe, expect, it } from 'vitest'
import { InProcessBurst } from '../../access/embedded/burst.ts'
import { AccessError } from '../../access/error.ts'
import { identityOf } from '../../access/identity.ts'
import { revokeKey } from '../../access/keys.ts'
import type { Leases } from '../../access/leases.ts'
import type { Admission, Arrival } from '../../access/stream-door.ts'
import { plans } from '../../contracts/plans.ts'
import { streamNames } from '../../contracts/streams.ts'
import { ORIGIN, openDoors } from './support/stream-door.ts'

const { doorFor, leases, revocations } = await openDoors()

describe('the door of the streams', () => {
  it.each(streamNames)('admits a key to %s, charges it once and leaves it a lease', async (stream) => {
    const { enter, record, quota, open, door } = doorFor('basic')
    const admission = await enter({ stream })
    expect(admission).toEqual({
      stream,
      keyId: record.key_id,
      account: record.key_id,
      plan: 'basic',
      lease: expect.any(String),
    })
    expect(quota.asked).toBe(1)
    expect(open()).toBe(1)
    expect(door.standing(admission as Admission)).toBe('ok')
  })

  describe('judges in order', () => {
    /** Each fault, from the first on, with all those that come after it. */
    const faults = [
      { code: 'unauthorized', charged: false },
      { code: 'plan_upgrade_required', charged: false },
      { code: 'stream_limit', charged: false },
      { code: 'quota_unavailable', charged: true },
    ] as const
    const pairs = faults.flatMap((first, i) => faults.slice(i).map((second) => [first, second] as const))
    it.each(pairs.map(([first, second]) => [first.code, second.code, first.charged] as const))(
      '%s before %s',
      async (first, second, charged) => {
        const has = (code: string) => code === first || code === second
        const { enter, quota, open } = doorFor(has('plan_upgrade_required') ? 'free' : 'basic')
        if (has('stream_limit')) for (let i = 0; i < 2; i++) await enter()
        const [asked, held] = [quota.asked, open()]
        if (has('quota_unavailable')) quota.outcome = 'exhausted'
        const outcome = await enter({ stream: 'prices', ...(has('unauthorized') ? { authorization: 'Bearer x' } : {}) })
        expect(outcome).toMatchObject({ refused: first })
        expect(quota.asked - asked, 'charges').toBe(charged ? 1 : 0)
        expect(open(), 'leases').toBe(held)
      },
    )
  })

  it('counts connections as calls of the minute, and refuses those beyond it without asking leases or quota', async () => {
    let decisions = 0
    const counted: Leases = {
      take: (...args) => {
        decisions++
        return leases.take(...args)
      },
      renew: (...args) => leases.renew(...args),
      release: (...args) => leases.release(...args),
      count: (...args) => leases.count(...args),
    }
    const { door, enter, admitted, quota, time, ticketFor, withTicket } = doorFor('free', {
      burst: new InProcessBurst(),
      leases: counted,
    })
    const { callsPerMinute } = plans.free
    for (let i = 0; i < callsPerMinute; i++) await door.leave(await admitted())
    expect(await enter()).toMatchObject({ refused: 'quota_unavailable', cause: 'burst' })
    expect(await withTicket(await ticketFor())).toMatchObject({ refused: 'quota_unavailable', cause: 'burst' })
    expect([decisions, quota.asked]).toEqual([callsPerMinute, callsPerMinute])
    // Neither a wrong key nor a plan that bars the stream depends on it.
    expect(await enter({ stream: 'prices' })).toMatchObject({ refused: 'plan_upgrade_required' })
    expect(await enter({ authorization: 'Bearer x' })).toMatchObject({ refused: 'unauthorized' })
    time.now += 60_000 / callsPerMinute
    await admitted()
  })

  it('refuses a connection whose calls a minute cannot be counted', async () => {
    const take = () => Promise.reject(new AccessError('unavailable', 'away'))
    expect(await doorFor('basic', { burst: { take } }).enter()).toMatchObject({ refused: 'quota_unavailable' })
  })

  it('refuses whoever brings no key, or none that is valid', async () => {
    const { enter, keys, record, time } = doorFor('basic')
    for (const authorization of [undefined, '', 'Bearer', 'Basic x', `Bearer ${record.hash}`]) {
      expect(await enter({ authorization })).toMatchObject({ refused: 'unauthorized' })
    }
    time.now += 3_600_000
    expect(await enter()).toMatchObject({ refused: 'unauthorized', cause: 'expired' })
    time.now -= 3_600_000
    keys.apply(revokeKey(record))
    expect(await enter()).toMatchObject({ refused: 'unauthorized', cause: 'revoked' })
  })

  describe('tells a client in words', () => {
    const words = (outcome: object): string => String('detail' in outcome ? outcome.detail : 'nothing')
    const noKey = { authorization: undefined, origin: ORIGIN }

    it.each([
      ['that nothing came', noKey, 'The request has neither an Authorization header nor a ticket.'],
      ['that an empty ticket is none', { ...noKey, ticket: '' }, 'neither an Authorization header'],
      ['how the header looks', { authorization: 'Basic eDp5' }, 'The Authorization header is not "Bearer <API_KEY>".'],
      ['that a key is not valid', { authorization: 'Bearer x' }, 'The API key is not valid.'],
      ['that a ticket is unknown', { ...noKey, ticket: 'A'.repeat(43) }, 'is unknown'],
      ['that what it sent is no ticket', { ...noKey, ticket: 'x' }, 'is unknown'],
    ])('%s', async (_, arrival, text) => expect(words(await doorFor('basic').enter(arrival))).toContain(text))

    it('what is wrong with a ticket, but not the origin that it was issued for', async () => {
      const { ticketFor, withTicket, time, keys, record } = doorFor('basic')
      const told = async (arrival: Partial<Arrival> = {}) => words(await withTicket(await ticketFor(), arrival))
      const used = await ticketFor()
      await withTicket(used)
      expect(words(await withTicket(used))).toContain('was used before')
      expect(await told({ origin: undefined })).toContain('needs the Origin header')
      const wrongOrigin = await told({ origin: 'https://evil.test' })
      expect(wrongOrigin).toContain('not the one that the ticket was issued for')
      expect(wrongOrigin).not.toContain(ORIGIN)
      expect(await told({ stream: 'predictions' })).toContain('for another stream')
      const late = await ticketFor()
      time.now += 30_000
      expect(words(await withTicket(late))).toContain('has expired')
      const last = await ticketFor()
      keys.apply(revokeKey(record))
      expect(words(await withTicket(last))).toContain('no longer valid')
    })

    it('the same of a key that is unknown, revoked or expired', async () => {
      const { enter, keys, record, time } = doorFor('basic')
      const told = [await enter({ authorization: doorFor('basic').authorization })]
      time.now += 3_600_000
      told.push(await enter())
      time.now -= 3_600_000
      keys.apply(revokeKey(record))
      told.push(await enter())
      expect(told).toMatchObject(['unknown', 'expired', 'revoked'].map((cause) => ({ refused: 'unauthorized', cause })))
      expect(told.map(words)).toEqual(Array(3).fill('The API key is not valid.'))
    })

    it('which allowance is used up', async () => {
      const { enter, quota } = doorFor('free')
      expect(words(await enter({ stream: 'prices' }))).toContain('plan')
      quota.outcome = 'exhausted'
      expect(words(await enter())).toContain('calls of the month')
      quota.outcome = 'away'
      expect(words(await enter())).toContain('cannot be checked')
      quota.outcome = 'granted'
      await enter()
      expect(words(await enter())).toContain('as many streams')
    })
  })

  it.each([
    ['free', 1],
    ['basic', 2],
    ['pro', 10],
  ] as const)(
    'lets %s have %i streams at once, whichever they are, and the next when one has left',
    async (plan, limit) => {
      const { door, enter, admitted, quota } = doorFor(plan)
      const streams = streamNames.filter((stream) => stream !== 'prices' || plan !== 'free')
      const arrivals = Array.from({ length: 50 }, (_, i) => enter({ stream: streams[i % streams.length] ?? 'events' }))
      const outcomes = await Promise.all(arrivals)
      const [first, ...others] = outcomes.filter((outcome) => !('refused' in outcome))
      expect(others).toHaveLength(limit - 1)
      expect(outcomes.filter((outcome) => 'refused' in outcome && outcome.refused === 'stream_limit')).toHaveLength(
        50 - limit,
      )
      expect(quota.asked, 'only who is let in is charged').toBe(limit)
      await door.leave(first as Admission)
      await door.leave(first as Admission)
      expect(door.standing(first as Admission)).toBe('revoked')
      await admitted()
      expect(await enter()).toMatchObject({ refused: 'stream_limit' })
    },
  )

  it.each([
    ['exhausted', 'quota_unavailable'],
    ['away', 'quota_unavailable'],
    ['revoked', 'unauthorized'],
  ] as const)('gives the lease back when the quota is %s', async (outcome, refused) => {
    const { enter, quota, open } = doorFor('basic')
    quota.outcome = outcome
    for (let i = 0; i < 3; i++) expect(await enter()).toMatchObject({ refused })
    expect(open()).toBe(0)
    quota.outcome = 'granted'
    expect(await enter()).toHaveProperty('lease')
  })

  it('refuses a key whose flag is set before its record is known, and charges nothing', async () => {
    const { enter, record, quota, ticketFor, withTicket } = doorFor('basic')
    const ticket = await ticketFor()
    await revocations.revoke(identityOf(record))
    expect(await enter()).toMatchObject({ refused: 'unauthorized' })
    expect(await withTicket(ticket)).toMatchObject({ refused: 'unauthorized' })
    expect(quota.asked).toBe(0)
  })

  it('says quota_unavailable when leases or tickets cannot be checked', async () => {
    const away = () => Promise.reject(new AccessError('unavailable', 'away'))
    const noLeases: Leases = { take: away, renew: away, release: away, count: () => 0 }
    expect(await doorFor('basic', { leases: noLeases }).enter()).toMatchObject({ refused: 'quota_unavailable' })
    const { withTicket } = doorFor('basic', { tickets: { redeem: away } })
    expect(await withTicket('A'.repeat(43))).toMatchObject({ refused: 'quota_unavailable' })
  })

  it('lets faults of our own through', async () => {
    const broken = () => Promise.reject(new TypeError('ours'))
    await expect(doorFor('basic', { tickets: { redeem: broken } }).withTicket('A')).rejects.toThrow('ours')
  })

  it('keeps leases while it runs, and gives all back when it is closed', async () => {
    const { door, admitted, enter, time, open } = doorFor('pro', { renewEveryMs: 1 })
    const admission = await admitted()
    await admitted()
    const stop = new AbortController()
    const running = door.run(stop.signal)
    for (let i = 0; i < 5; i++) {
      time.now += 4_000
      time.passed += 4_000
      await expect.poll(() => leases.count(admission, time.now + 14_999), { interval: 1 }).toBe(2)
      expect(door.standing(admission)).toBe('ok')
    }
    stop.abort()
    await running
    await door.close()
    expect(open()).toBe(0)
    expect(await enter()).toMatchObject({ refused: 'quota_unavailable' })
  })
})
