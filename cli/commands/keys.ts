import { randomBytes } from 'node:crypto'
import { AccessError } from '../../access/error.ts'
import { type Identity, identityOf } from '../../access/identity.ts'
import { KeyTable } from '../../access/key-table.ts'
import { createKey, deriveAddressKey, derivedFrom, keyKind, revokeKey, rotateKey } from '../../access/keys.ts'
import { plans } from '../../contracts/plans.ts'
import { program } from '../../contracts/program.ts'
import type { AccessKey } from '../../contracts/records.ts'
import type { Plan } from '../../contracts/resources.ts'
import type { Config } from '../../infra/config.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import { parsed } from '../arguments.ts'
import { underClaim } from '../claims.ts'
import { type Command, print, UsageError } from '../command.ts'
import { openAccess, withJournal } from '../parts.ts'

export const command: Command = {
  usage: `${program} keys create --plan free|basic|pro --owner NAME [--origin URL]… [--expires DATE] [--test] [--json]
${program} keys derive KEY_ID [--owner NAME] [--json]
${program} keys list [--json]
${program} keys rotate KEY_ID [--overlap HOURS] [--json]
${program} keys revoke KEY_ID [--json]

A key is shown once; only its SHA-256 is stored. --origin names a web origin for which stream tickets may be issued
(https, or any loopback address). --expires is a date, which means its first moment in UTC, or an instant
(2027-03-01T12:00:00Z). A rotated key stays valid for --overlap hours (default 24). The new key is of the same kind (live
or test) and plan and has the same origins. Both share the quota, the calls a minute and the stream slots of their
account, which is named by the id of its first key. A revoked key stops working within a second on every node. Only
restoring a backup from before makes it valid again.

derive makes a read-only key of 32 characters for clients that can only put their key into the address (api_key=). It is
valid there alone, with the plan, the account and the expiry of KEY_ID. It is revoked by its own id, or with KEY_ID. When
KEY_ID is rotated, it ends together with the old key: derive another from the new one.`,
  async run([action = '', ...args], config) {
    if (!Object.hasOwn(actions, action))
      throw new UsageError(
        `unknown action ${JSON.stringify(action)}: use create, derive, list, rotate or revoke (\`${program} help keys\` explains them)`,
      )
    const act = actions[action as keyof typeof actions](args)
    try {
      await withJournal(config, (journal) => {
        const work = () => act(journal, Date.now(), config)
        // A rotation beside a revocation would write that the revoked key is active.
        return action === 'list' ? work() : underClaim(journal, 'access/keys', work)
      })
      return 0
    } catch (error) {
      if (error instanceof AccessError && error.code !== 'unavailable') throw new UsageError(error.message)
      throw error
    }
  },
}

type Act = (journal: TypedJournal, now: number, config: Config) => Promise<void>

const json = { json: { type: 'boolean', default: false } } as const

/** Actions of the command. Each checks all its arguments first and returns the work to do. Throws UsageError. */
const actions = {
  create(args: readonly string[]): Act {
    const { values } = parsed(
      args,
      {
        plan: { type: 'string' },
        owner: { type: 'string' },
        origin: { type: 'string', multiple: true, default: [] },
        expires: { type: 'string' },
        test: { type: 'boolean', default: false },
        ...json,
      },
      0,
    )
    const { plan, owner, origin: origins, test } = values
    if (!plan || !Object.hasOwn(plans, plan))
      throw new UsageError(`--plan must be one of ${Object.keys(plans).join(', ')}`)
    if (!owner) throw new UsageError('--owner is missing: name the person or program that gets the key')
    const expiresAt = values.expires === undefined ? null : instant(values.expires)
    const wanted = { kind: test ? 'test' : 'live', plan: plan as Plan, owner, origins, expiresAt } as const
    return async (journal, now) => {
      const { key, record } = createKey(wanted, now, randomBytes)
      await append(journal, [record], now)
      const text = `${key}\n  ${described(record)}\nThis is the only time the key is shown.`
      say(values, shown(key, record), text)
    }
  },

  derive(args: readonly string[]): Act {
    const { values, positionals } = parsed(args, { owner: { type: 'string' }, ...json })
    const keyId = onlyKeyId(positionals)
    return async (journal, now) => {
      const parent = await keyNamed(journal, keyId)
      const { key, record } = deriveAddressKey(parent, values.owner ?? parent.owner, now, randomBytes)
      await append(journal, [record], now)
      const { account } = record
      say(
        values,
        { ...shown(key, record), account, parent: keyId },
        `${key}\n  ${described(record)}\nThis is the only time the key is shown.`,
      )
    }
  },

  list(args: readonly string[]): Act {
    const { values } = parsed(args, json, 0)
    return async (journal, now) => {
      const table = await readKeys(journal)
      const keys = table.list().map((key) => currentOf(table, key, now))
      const lines = keys.map(({ key, status }) => described(key, status))
      say(values, keys.map(listed), lines.join('\n') || `there are no keys: \`${program} keys create\` makes one`)
    }
  },

  rotate(args: readonly string[]): Act {
    const { values, positionals } = parsed(args, { overlap: { type: 'string', default: '24' }, ...json })
    const keyId = onlyKeyId(positionals)
    const overlapMs = hoursInMs(values.overlap)
    return async (journal, now) => {
      const table = await readKeys(journal)
      const old = keyIn(table, keyId)
      const { key, records } = rotateKey(old, overlapMs, now, randomBytes)
      await append(journal, records, now)
      const [record, { key_id: replaces, expires_at }] = records
      const ending = derivedFrom(old, table.list()).map(({ key_id }) => `\nSo does its read-only key ${key_id}.`)
      say(
        values,
        { ...shown(key, record), account: record.account, replaces, replaced_until: expires_at },
        `${key}\n  ${described(record)}\n${replaces} stays valid until ${expires_at}.${ending.join('')}`,
      )
    }
  },

  revoke(args: readonly string[]): Act {
    const { values, positionals } = parsed(args, json)
    const keyId = onlyKeyId(positionals)
    return async (journal, now, config) => {
      const table = await readKeys(journal)
      const key = keyIn(table, keyId)
      const derived = derivedFrom(key, table.list())
      const ended = [...derived, key]
      await flagRevoked(config, ended.map(identityOf))
      await append(journal, ended.map(revokeKey), now)
      const ids = derived.map(({ key_id }) => key_id)
      say(
        values,
        { key_id: key.key_id, status: 'revoked', revoked_with_it: ids },
        [...ids, key.key_id].map((id) => `${id} is revoked.`).join('\n'),
      )
    }
  },
}

const say = ({ json: isJson }: { readonly json: boolean }, object: object, text: string): void =>
  print(isJson ? JSON.stringify(object) : text)

/**
 * Flags keys as revoked in the access store. It comes before the journal's records, so that a node cut off from the
 * journal refuses the keys, too.
 */
async function flagRevoked(config: Config, keys: readonly Identity[]): Promise<void> {
  const access = await openAccess(config, (message) => process.stderr.write(`${message}\n`))
  try {
    for (const who of keys) await access.revocations.revoke(who)
  } finally {
    await access.close()
  }
}

const append = (journal: TypedJournal, records: readonly AccessKey[], now: number) =>
  journal.append(
    'access',
    0,
    records.map((value) => ({ value, id: `${value.key_id}/${value.status}/${now}`, at: now })),
  )

async function readKeys(journal: TypedJournal): Promise<KeyTable> {
  const table = new KeyTable()
  for await (const batch of journal.readToEnd('access', 0)) for (const { value } of batch.records) table.apply(value)
  return table
}

function onlyKeyId([keyId, ...rest]: readonly string[]): string {
  if (keyId === undefined || rest.length > 0)
    throw new UsageError(`give the id of one key (\`${program} keys list\` shows the ids)`)
  return keyId
}

const keyNamed = async (journal: TypedJournal, keyId: string): Promise<AccessKey> =>
  keyIn(await readKeys(journal), keyId)

function keyIn(table: KeyTable, keyId: string): AccessKey {
  const key = table.get(keyId)
  if (!key) throw new UsageError(`no key has the id ${JSON.stringify(keyId)} (\`${program} keys list\` shows the ids)`)
  return key
}

/** Ten years of hours. */
const LONGEST_OVERLAP_HOURS = 87_600

/** Converts a number of hours in decimal digits into milliseconds. Throws UsageError. */
export function hoursInMs(text: string): number {
  const hours = /^\d{1,6}(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN
  if (hours <= LONGEST_OVERLAP_HOURS) return Math.round(hours * 3_600_000)
  throw new UsageError(
    `--overlap takes hours in decimal digits, 0 to ${LONGEST_OVERLAP_HOURS} (24 or 0.5), not ${JSON.stringify(text)}`,
  )
}

const dateOrInstant = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/

/**
 * Parses a date or instant into UTC ms. A day that its month does not have is refused; `Date` would count it on into the
 * next month.
 */
export function instant(text: string): number {
  const [, date = ''] = dateOrInstant.exec(text) ?? []
  const day = Date.parse(date)
  const ms = Date.parse(text)
  if (Number.isNaN(day) || Number.isNaN(ms) || new Date(day).toISOString().slice(0, 10) !== date) {
    const wanted = 'a date (2027-03-01) or an instant with its zone (2027-03-01T12:00:00Z)'
    throw new UsageError(`--expires takes ${wanted}, not ${JSON.stringify(text)}`)
  }
  return ms
}

const shown = (key: string, { key_id, plan, owner, origins, expires_at }: AccessKey) => ({
  key_id,
  key,
  plan,
  owner,
  origins,
  expires_at,
})

/** A key's record without its hash. Account and kind are derived for keys that older releases wrote without them. */
const listed = ({ key: record, status }: { readonly key: AccessKey; readonly status: KeyStatus }) => {
  const { hash: _, ...key } = record
  return { ...key, status, account: identityOf(record).account, kind: keyKind(record) }
}

type KeyStatus = AccessKey['status'] | 'expired'

/** A key as a call with it would find it now: a derived key has the plan and expiry of its parent, and ends with it. */
function currentOf(table: KeyTable, key: AccessKey, now: number): { key: AccessKey; status: KeyStatus } {
  const standing = table.standing(key.key_id, now)
  if (standing.ok) return { key: standing.key, status: 'active' }
  return { key, status: standing.why === 'expired' ? 'expired' : 'revoked' }
}

const described = (key: AccessKey, status: KeyStatus = key.status): string => {
  const { key_id, plan, owner, expires_at, parent } = key
  const { account } = identityOf(key)
  const isTest = keyKind(key) === 'test'
  const notes = [
    status,
    isTest && 'test key',
    parent && `read-only key of ${parent}`,
    expires_at && `${status === 'expired' ? 'since' : 'expires'} ${expires_at}`,
    account !== (parent ?? key_id) && `account ${account}`,
  ]
  return `${key_id}  ${plan.padEnd(5)}  ${notes.filter(Boolean).join(', ')}  ${owner}`
}
