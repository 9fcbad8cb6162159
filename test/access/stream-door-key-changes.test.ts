import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { AccessError } from '../../access/error.ts'
import { type Identity, identityOf } from '../../access/identity.ts'
import { createKey, revokeKey, rotateKey } from '../../access/keys.ts'
import type { Plan } from '../../contracts/resources.ts'
import { type KeyDoor, NOON, ORIGIN, openDoors } from './support/stream-door.ts'

const { doorFor, tickets, revocations } = await openDoors()

describe('the door of the streams', () => {
  describe('with a key that is rotated', () => {
    const rotated = ({ keys, record, time }: KeyDoor, old = record) => {
      const { key, records } = rotateKey(old, 1_800_000, time.now, randomBytes)
      for (const each of records) keys.apply(each)
      return { authorization: `Bearer ${key}`, record: records[0] }
    }

    it.each([
      ['now', {}],
      ['before there were accounts', { account: null }],
    ] as const)('has no more streams than before, if it was made %s', async (_, made) => {
      const of = doorFor('basic')
      of.keys.apply({ ...of.record, ...made })
      const [first] = [await of.admitted(), await of.admitted()]
      const next = rotated(of, { ...of.record, ...made })
      const { authorization } = rotated(of, next.record)
      for (const key of [of.authorization, next.authorization, authorization]) {
        expect(await of.enter({ authorization: key })).toMatchObject({ refused: 'stream_limit' })
      }
      await of.door.leave(first)
      const last = await of.admitted({ authorization })
      expect(of.open()).toBe(2)
      expect(await of.enter()).toMatchObject({ refused: 'stream_limit' })
      await of.door.leave(last)
      expect(of.open()).toBe(1)
    })

    it('cuts the streams of the old key when that is revoked, and those of the new one go on', async () => {
      const of = doorFor('pro')
      const next = rotated(of)
      const [old, fresh] = [await of.admitted(), await of.admitted({ authorization: next.authorization })]
      await revocations.revoke(identityOf(of.record))
      of.time.passed += 400
      expect([old, fresh].map((admission) => of.door.standing(admission))).toEqual(['revoked', 'ok'])
      await of.door.leave(old)
      expect(of.open()).toBe(1)
      expect(await of.enter()).toMatchObject({ refused: 'unauthorized' })
      expect(await of.enter({ authorization: next.authorization })).toHaveProperty('lease')
    })

    it('takes a ticket for the key that asked: it dies with that key, and its slot is of the account', async () => {
      const of = doorFor('basic')
      const next = rotated(of)
      const ask = async (record = of.record) => {
        const issued = await tickets.issue({ ...identityOf(record), stream: 'events', origin: ORIGIN }, NOON)
        return 'ticket' in issued ? issued.ticket : ''
      }
      await of.admitted()
      const [byOld, byNext, late] = [await ask(), await ask(next.record), await ask(next.record)]
      await revocations.revoke(identityOf(of.record))
      expect(await of.withTicket(byOld)).toMatchObject({ refused: 'unauthorized' })
      expect(await of.withTicket(byNext)).toMatchObject({ keyId: next.record.key_id, account: of.record.key_id })
      expect(await of.withTicket(late)).toMatchObject({ refused: 'stream_limit' })
      expect(of.open()).toBe(2)
    })

    it('goes by the plan of the key that asks, on one count', async () => {
      const of = doorFor('basic')
      const next = rotated(of)
      of.keys.apply({ ...next.record, plan: 'pro' })
      for (let i = 0; i < 2; i++) await of.admitted({ authorization: next.authorization })
      expect(await of.enter()).toMatchObject({ refused: 'stream_limit' })
      await of.admitted({ authorization: next.authorization })
      expect(of.open()).toBe(3)
    })
  })

  describe('cuts a stream that is open', () => {
    it.each([
      ['whose key is revoked', ({ keys, record }) => keys.apply(revokeKey(record))],
      ['whose key is flagged', ({ record }) => revocations.revoke(identityOf(record))],
      ['whose key has expired', ({ time }) => (time.now += 3_600_000)],
      ['of prices, whose plan is free now', ({ keys, record }) => keys.apply({ ...record, plan: 'free' })],
      ['whose lease was not renewed in time', ({ time }) => (time.passed += 14_000)],
    ] as const satisfies [string, (of: KeyDoor) => unknown][])('%s', async (_, happen) => {
      const of = doorFor('basic')
      const admission = await of.admitted({ stream: 'prices' })
      expect(of.door.standing(admission)).toBe('ok')
      await happen(of)
      of.time.passed += 400
      expect(of.door.standing(admission)).toBe('revoked')
    })

    it('whichever of several keys is flagged, and those of the others go on', async () => {
      const of = doorFor('pro')
      const others = ['basic', 'pro'].map((plan) => {
        const made = createKey(
          { kind: 'live', plan: plan as Plan, owner: 'TEST', origins: [ORIGIN], expiresAt: NOON + 3_600_000 },
          NOON,
          randomBytes,
        )
        of.keys.apply(made.record)
        return made
      })
      const open = [await of.admitted()]
      for (const { key } of others) open.push(await of.admitted({ authorization: `Bearer ${key}` }))
      const standings = () => open.map((admission) => of.door.standing(admission))
      expect(standings()).toEqual(['ok', 'ok', 'ok'])
      for (const { record } of others) await revocations.revoke(identityOf(record))
      of.time.passed += 400
      expect(standings()).toEqual(['ok', 'revoked', 'revoked'])
    })

    it('with every other one of its key, at the same look', async () => {
      const of = doorFor('pro')
      const open = [await of.admitted(), await of.admitted({ stream: 'predictions' })]
      await revocations.revoke(identityOf(of.record))
      const standings = () => open.map((admission) => of.door.standing(admission))
      expect([standings(), standings()]).toEqual([
        ['revoked', 'revoked'],
        ['revoked', 'revoked'],
      ])
    })

    it('by a flag that is read every 400 ms, however many streams a key has', async () => {
      let reads = 0
      const isRevoked = () => {
        reads++
        return false
      }
      const { door, admitted, time } = doorFor('pro', { revocations: { isRevoked } })
      const open = [await admitted(), await admitted({ stream: 'predictions' })]
      const readsAt = (passed: number) => {
        time.passed = passed
        for (const admission of open) door.standing(admission)
        return reads
      }
      expect([0, 399, 400, 799, 800].map(readsAt)).toEqual([1, 1, 2, 2, 3])
    })

    it('but none for a smaller plan that still grants all of it, however many are open', async () => {
      const { door, admitted, enter, keys, record } = doorFor('pro')
      const open = [await admitted(), await admitted({ stream: 'predictions' }), await admitted({ stream: 'prices' })]
      keys.apply({ ...record, plan: 'basic' })
      expect(open.map((admission) => door.standing(admission))).toEqual(['ok', 'ok', 'ok'])
      keys.apply({ ...record, plan: 'free' })
      expect(open.map((admission) => door.standing(admission))).toEqual(['revoked', 'ok', 'revoked'])
      expect(await enter()).toMatchObject({ refused: 'stream_limit' })
    })

    it('and not for a flag that cannot be read: the lease decides', async () => {
      const isRevoked = () => {
        throw new AccessError('unavailable', 'away')
      }
      const { door, admitted, time } = doorFor('basic', { revocations: { isRevoked } })
      const admission = await admitted()
      expect(door.standing(admission)).toBe('ok')
      time.passed += 14_000
      expect(door.standing(admission)).toBe('revoked')
    })

    it('as soon as a store that answers later has said so', async () => {
      const later = { isRevoked: async (who: Identity) => revocations.isRevoked(who) }
      const { door, admitted, record } = doorFor('basic', { revocations: later })
      const admission = await admitted()
      await revocations.revoke(identityOf(record))
      await expect.poll(() => door.standing(admission), { interval: 1 }).toBe('revoked')
      const silent = { isRevoked: () => Promise.reject(new AccessError('unavailable', 'away')) }
      const other = doorFor('basic', { revocations: silent })
      expect(other.door.standing(await other.admitted())).toBe('ok')
    })
  })
})
