import { describe, expect, it } from 'vitest'
import { revokeKey } from '../../access/keys.ts'
import { NOON, ORIGIN, openDoors } from './support/stream-door.ts'

const { doorFor } = await openDoors()

describe('the door of the streams', () => {
  describe('with a ticket', () => {
    it('admits once to its stream, for its origin', async () => {
      const { ticketFor, withTicket, record } = doorFor('basic')
      const ticket = await ticketFor('prices')
      expect(await withTicket(ticket, { stream: 'prices' })).toMatchObject({ keyId: record.key_id, stream: 'prices' })
      expect(await withTicket(ticket, { stream: 'prices' })).toMatchObject({ refused: 'unauthorized' })
    })

    it.each([
      ['another stream', { stream: 'predictions' }, 'unauthorized'],
      ['another origin', { origin: 'https://app.example.com.evil.test' }, 'unauthorized'],
      ['another port', { origin: `${ORIGIN}:8443` }, 'unauthorized'],
      ['no origin', { origin: undefined }, 'unauthorized'],
    ] as const)('is refused for %s, and the ticket is spent', async (_, arrival, refused) => {
      const { ticketFor, withTicket, quota, open } = doorFor('basic')
      const ticket = await ticketFor()
      expect(await withTicket(ticket, arrival)).toMatchObject({ refused })
      expect(await withTicket(ticket)).toMatchObject({ refused: 'unauthorized', cause: 'ticket used' })
      expect([quota.asked, open()]).toEqual([0, 0])
    })

    it('is spent by whatever follows', async () => {
      const { ticketFor, withTicket, quota } = doorFor('basic')
      const ticket = await ticketFor()
      quota.outcome = 'exhausted'
      expect(await withTicket(ticket)).toMatchObject({ refused: 'quota_unavailable' })
      quota.outcome = 'granted'
      expect(await withTicket(ticket)).toMatchObject({ refused: 'unauthorized' })
    })

    it('is refused once its key is revoked or has expired, or the ticket has', async () => {
      const { ticketFor, withTicket, time, keys, record } = doorFor('basic')
      const [late, stale, last] = [await ticketFor(), await ticketFor(), await ticketFor()]
      time.now += 30_000
      expect(await withTicket(late)).toMatchObject({ refused: 'unauthorized', cause: 'ticket expired' })
      time.now = NOON
      keys.apply({ ...record, expires_at: new Date(NOON).toISOString() })
      expect(await withTicket(stale)).toMatchObject({ refused: 'unauthorized', cause: 'expired' })
      keys.apply(revokeKey(record))
      expect(await withTicket(last)).toMatchObject({ refused: 'unauthorized', cause: 'revoked' })
    })

    it('goes by the plan that the key has now', async () => {
      const { ticketFor, withTicket, keys, record } = doorFor('basic')
      const ticket = await ticketFor('prices')
      keys.apply({ ...record, plan: 'free' })
      expect(await withTicket(ticket, { stream: 'prices' })).toMatchObject({ refused: 'plan_upgrade_required' })
    })

    it('and a header is judged by the header: the ticket is neither a help nor spent', async () => {
      const { enter, ticketFor, withTicket } = doorFor('basic')
      const ticket = await ticketFor()
      expect(await enter({ authorization: 'Bearer x', ticket, origin: ORIGIN })).toMatchObject({
        refused: 'unauthorized',
      })
      expect(await enter({ ticket, origin: 'https://elsewhere.test' })).toHaveProperty('lease')
      expect(await withTicket(ticket)).toHaveProperty('lease')
    })
  })
})
