/**
 * A process that uses an access store, to be killed, stopped or starved of disk by a test.
 *
 *   node access-process-main.ts <grant log> <adapter> <location> <role> <identity as JSON, name or ticket> <limit or count>
 */

import { once } from 'node:events'
import { openSync, writeSync } from 'node:fs'
import type { Access } from '../../../access/access.ts'
import { AccessError } from '../../../access/error.ts'
import type { Identity } from '../../../access/identity.ts'
import { systemTime } from '../../../base/time.ts'

const [grantLog = '', adapter = '', location = '', role = '', subject = '', limitText = ''] = process.argv.slice(2)
const limit = Number(limitText)
const identity = (): Identity => JSON.parse(subject)
// Imported only when they are opened, because the tests start dozens of these processes.
const adapters: Readonly<Record<string, (location: string) => Promise<Access>>> = {
  embedded: async (directory) => (await import('../../../access/embedded/open.ts')).openEmbeddedAccess(directory),
  redis: async (url) => (await import('./redis-access.ts')).openTestRedisAccess(url),
}
const openEnvironment = async () =>
  (await import('../../../access/embedded/environment.ts')).AccessEnvironment.open(location, systemTime)
const roles: Readonly<Record<string, () => Promise<void>>> = {
  hammer,
  'until-revoked': hammer,
  fill,
  write,
  count,
  visit,
  hold,
  take,
  redeem,
}
const CALLS_AT_ONCE = 4

const say = (word: string) => writeSync(1, `${word}\n`)
const open = () => {
  const openAccess = adapters[adapter]
  if (!openAccess) throw new Error(`no adapter ${adapter}`)
  return openAccess(location)
}
const told = async () => {
  say('ready')
  await once(process.stdin, 'data')
  process.stdin.pause()
}

const unavailable = (error: unknown): { readonly outcome: 'unavailable' } => {
  if (error instanceof AccessError && error.code === 'unavailable') return { outcome: error.code }
  throw error
}

/** Takes calls, several at once, until one is refused. */
async function hammer(): Promise<void> {
  const { quota, close } = await open()
  const who = identity()
  const log = openSync(grantLog, 'a')
  await told()
  const work = async () => {
    for (;;) {
      const { outcome } = await (async () => quota.take(who, limit, Date.now()))().catch(unavailable)
      // Another process stood still with the write lock.
      if (outcome === 'unavailable') continue
      if (outcome !== 'granted') return say(outcome)
      writeSync(log, '.')
      // Lets the others have a turn, and this process hear of what they have written.
      await new Promise(setImmediate)
    }
  }
  await Promise.all(Array.from({ length: CALLS_AT_ONCE }, work))
  await close()
}

/** Takes one call of ever more accounts until the disk is full, then says how things stand. */
async function fill(): Promise<void> {
  process.on('unhandledRejection', () => say('unhandled'))
  const { quota, close } = await open()
  const padding = 'x'.repeat(500)
  const take = async (account: string) => {
    try {
      return (await quota.take({ keyId: account, account }, limit, 0)).outcome
    } catch (error) {
      return error instanceof AccessError ? error.code : String(error)
    }
  }
  let number = 0
  let outcome = 'granted'
  while (outcome === 'granted' && number < 5_000) outcome = await take(`${subject}-${padding}-${number++}`)
  say(`full:${outcome}`)
  say(`again:${await take(`${subject}-${padding}-${number}`)}`)
  say(`reserved:${await take(`${subject}-${padding}-0`)}`)
  await close()
  say('closed')
}

/** Holds the write lock of all processes, for ever, having written without a commit. */
async function write(): Promise<void> {
  const environment = await openEnvironment()
  await environment.write(() => {
    void environment.quota.put(subject, 999)
    say('writing')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  })
}

/** Counts up in single commits until told to stop, and says how many were acknowledged. */
async function count(): Promise<void> {
  const environment = await openEnvironment()
  let going = true
  void told().then(() => {
    going = false
  })
  let acknowledged = 0
  for (; going; acknowledged++) {
    await environment.write(() => void environment.quota.put(subject, (environment.quota.get(subject) ?? 0) + 1))
  }
  await environment.close()
  say(`acknowledged:${acknowledged}`)
}

/** Opens and closes the store `limit` times. */
async function visit(): Promise<void> {
  for (let times = limit; times > 0; times--) await (await open()).close()
}

/** Takes `limit` leases, says as of when, and never renews them. */
async function hold(): Promise<void> {
  const { leases } = await open()
  const who = identity()
  const now = Date.now()
  for (let taken = 0; taken < limit; taken++) await leases.take(who, limit, now)
  say(`held:${now}`)
  setInterval(() => undefined, 60_000)
}

/** Asks for 25 leases at once, and notes down those it got. */
async function take(): Promise<void> {
  const { leases, close } = await open()
  const who = identity()
  const log = openSync(grantLog, 'a')
  await told()
  const decisions = await Promise.all(Array.from({ length: 25 }, () => leases.take(who, limit, Date.now())))
  for (const { outcome } of decisions) if (outcome === 'granted') writeSync(log, '.')
  await close()
}

/** Redeems one ticket `limit` times at once, and notes down each time that it was good. */
async function redeem(): Promise<void> {
  const { tickets, close } = await open()
  const log = openSync(grantLog, 'a')
  await told()
  const redemptions = await Promise.all(Array.from({ length: limit }, () => tickets.redeem(subject, Date.now())))
  for (const { ok } of redemptions) if (ok) writeSync(log, '.')
  await close()
}

await roles[role]?.()
