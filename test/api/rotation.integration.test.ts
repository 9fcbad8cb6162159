import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Access } from '../../access/access.ts'
import { openEmbeddedAccess } from '../../access/embedded/open.ts'
import { Gate, type GateParts } from '../../access/gate.ts'
import { identityOf } from '../../access/identity.ts'
import { KeyTable } from '../../access/key-table.ts'
import { createKey, rotateKey } from '../../access/keys.ts'
import { StreamDoor } from '../../access/stream-door.ts'
import { plans } from '../../contracts/plans.ts'
import { openTestRedisAccess } from '../access/support/redis-access.ts'
import { serviceIsThere } from '../support/services.ts'
import { sharedServer } from '../support/shared-servers.ts'
import { timeWith } from '../support/wall-clock.ts'
import { ask, NOW, world } from './support.ts'

const ORIGIN = 'https://app.example.com'
const now = Date.parse(NOW)
const limits = { ...plans, basic: { ...plans.basic, callsPerMonth: 6 } }
const root = mkdtempSync(join(tmpdir(), 'almanac-rotation-'))
const closing: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of closing.reverse()) await close()
  rmSync(root, { recursive: true, force: true })
})

const adapters: readonly (readonly [string, boolean, () => Promise<Access>])[] = [
  ['embedded', true, () => openEmbeddedAccess(join(root, 'embedded'))],
  ['Redis', serviceIsThere('redis'), async () => openTestRedisAccess((await sharedServer('redis')).url)],
]

describe.each(adapters)('a key that is rotated, over the %s store', (_, there, open) => {
  it.skipIf(!there)('goes on with what it has used: calls, streams and tickets, until each key ends', async () => {
    const access = await open()
    closing.push(() => access.close())
    const keys = new KeyTable()
    const clock = () => now
    const streamsOpen: GateParts['streamsOpen'] = (who) => access.leases.count(who, now)
    const gate = new Gate({ ...access, keys, plans: limits, time: timeWith(clock), streamsOpen })
    const door = new StreamDoor({ ...access, keys, plans: limits, time: timeWith(clock, () => 0) })
    closing.push(() => door.close())
    const { app } = await world({ gate, tickets: access.tickets })

    const made = createKey(
      { kind: 'live', plan: 'basic', owner: 'TEST', origins: [ORIGIN], expiresAt: null },
      now,
      randomBytes,
    )
    keys.apply(made.record)
    const rotated = rotateKey(made.record, 3_600_000, now, randomBytes)
    const [old, next] = [made.key, rotated.key].map((key) => ({ authorization: `Bearer ${key}` }))
    if (!old || !next) throw new Error('there are two keys')
    const call = (headers: typeof old) => ask(app, { url: '/v1/economics/USA/cpi', headers })
    const usage = async (headers: typeof old) => (await ask(app, { url: '/v1/usage', headers })).json()
    const ticket = async (headers: typeof old): Promise<string> => {
      const json = { ...headers, 'content-type': 'application/json' }
      const payload = { origin: ORIGIN }
      const issued = await ask(app, { url: '/v1/events/stream-ticket', method: 'POST', headers: json, payload })
      return issued.json().ticket
    }
    const withTicket = (ticket: string) => door.enter({ stream: 'events', ticket, origin: ORIGIN })

    for (let i = 0; i < 2; i++) expect((await call(old)).statusCode).toBe(200)
    expect(await door.enter({ stream: 'events', ...old })).toHaveProperty('lease')
    for (const record of rotated.records) keys.apply(record)

    expect(await usage(next)).toMatchObject({ used: 3, remaining: 3, streams_open: 1 })
    expect(await withTicket(await ticket(next))).toMatchObject(identityOf(rotated.records[0]))
    for (const headers of [old, next]) {
      expect(await door.enter({ stream: 'events', ...headers })).toMatchObject({ refused: 'stream_limit' })
      expect(await usage(headers)).toMatchObject({ used: 4, remaining: 2, streams_open: 2 })
    }

    const late = await ticket(old)
    await access.revocations.revoke(identityOf(made.record))
    expect((await call(old)).problem.code).toBe('unauthorized')
    expect(await withTicket(late)).toMatchObject({ refused: 'unauthorized' })
    for (let i = 0; i < 2; i++) expect((await call(next)).statusCode).toBe(200)
    expect((await call(next)).problem.code).toBe('quota_exhausted')
  })
})
