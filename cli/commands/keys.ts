import { randomBytes } from 'node:crypto'
import { AccessError } from '../../access/error.ts'
import { type Identity, identityOf } from '../../access/identity.ts'
import { KeyTable } from '../../access/key-table.ts'
import { createKey, keyKind, revokeKey, rotateKey } from '../../access/keys.ts'
import { plans } from '../../contracts/plans.ts'
import { program } from '../../contracts/program.ts'
import type { AccessKey } from '../../contracts/records.ts'
import type { Plan } from '../../contracts/resources.ts'
import type { Config } from '../../infra/config.ts'
import { claimInTime } from '../../journal/claim-in-time.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import { parsed } from '../arguments.ts'
import { type Command, print, UsageError } from '../command.ts'
import { openAccess, openJournal } from '../parts.ts'

export const command: Command = {
  usage: `${program} keys create --plan free|basic|pro --owner NAME [--origin URL]… [--expires DATE] [--test] [--json]
${program} keys list [--json]
${program} keys rotate KEY_ID [--overlap HOURS] [--json]
${program} keys revoke KEY_ID [--json]

A key is shown once; only its SHA-256 is stored. --origin names a web origin for which stream tickets may be issued
(https, or any loopback address). --expires is a date, which means its first moment in UTC, or an instant
(2027-03-01T12:00:00Z). A rotated key stays valid for --overlap hours (default 24). The new key is of the same kind (live
or test) and plan and has the same origins. Both share the quota, the calls a minute and the stream slots of their
account, which is named by the id of its first key. A revoked key stops working within a second on every node, for ever.`,
  async run([action = '', ...args], config) {
    if (!Object.hasOwn(actions, action))
      throw new UsageError(
        `unknown action ${JSON.stringify(action)}: use create, list, rotate or revoke (\`${program} help keys\` explains them)`,
      )
    const act = actions[action as keyof typeof actions](args)
    const journal = await openJournal(config)
    try {
      const work = () => act(journal, Date.now(), config)
      await (action === 'list' ? work() : alone(journal, work))
      return 0
    } catch (error) {
      if (error instanceof AccessError && error.code !== 'unavailable') throw new UsageError(error.message)
      throw error
    } finally {
      await journal.close()
    }
  },
}

/** Longer than a claim takes to pass on from a command that was killed. */
const KEYS_CLAIM_TIMEOUT_MS = 15_000

/**
 * Runs `work` while no other command changes keys: a rotation beside a revocation would else write that the revoked key is
 * active.
 */
async function alone(journal: TypedJournal, work: () => Promise<void>): Promise<void> {
  const claim = await claimInTime(journal, 'access/keys', KEYS_CLAIM_TIMEOUT_MS)
  try {
    await work()
  } finally {
    await claim.release()
  }
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

  list(args: readonly string[]): Act {
    const { values } = parsed(args, json, 0)
    return async (journal, now) => {
      const table = await readKeys(journal)
      const keys = table.list().map((key) => ({ key, status: statusOf(table, key, now) }))
      const lines = keys.map(({ key, status }) => described(key, status))
      say(values, keys.map(listed), lines.join('\n') || `there are no keys: \`${program} keys create\` makes one`)
    }
  },

  rotate(args: readonly string[]): Act {
    const { values, positionals } = parsed(args, { overlap: { type: 'string', default: '24' }, ...json })
    const keyId = onlyKeyId(positionals)
    const overlapMs = hoursInMs(values.overlap)
    return async (journal, now) => {
      const old = await keyNamed(journal, keyId)
      const { key, records } = rotateKey(old, overlapMs, now, randomBytes)
      await append(journal, records, now)
      const [record, { key_id: replaces, expires_at }] = records
      say(
        values,
        { ...shown(key, record), account: record.account, replaces, replaced_until: expires_at },
        `${key}\n  ${described(record)}\n${replaces} stays valid until ${expires_at}.`,
      )
    }
  },

  revoke(args: readonly string[]): Act {
    const { values, positionals } = parsed(args, json)
    const keyId = onlyKeyId(positionals)
    return async (journal, now, config) => {
      const key = await keyNamed(journal, keyId)
      await flagRevoked(config, identityOf(key))
      await append(journal, [revokeKey(key)], now)
      say(values, { key_id: key.key_id, status: 'revoked' }, `${key.key_id} is revoked.`)
    }
  },
}

const say = ({ json: isJson }: { readonly json: boolean }, object: object, text: string): void =>
  print(isJson ? JSON.stringify(object) : text)

/**
 * Flags a key as revoked in the access store. It comes before the journal's record, so that a node cut off from the
 * journal refuses the key, too.
 */
async function flagRevoked(config: Config, who: Identity): Promise<void> {
  const access = await openAccess(config, (message) => process.stderr.write(`${message}\n`))
  try {
    await access.revocations.revoke(who)
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

async function keyNamed(journal: TypedJournal, keyId: string): Promise<AccessKey> {
  const key = (await readKeys(journal)).get(keyId)
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

/** Status of a key now, as a call with it would find it. */
const statusOf = (table: KeyTable, { key_id, status }: AccessKey, now: number): KeyStatus => {
  const standing = table.standing(key_id, now)
  return !standing.ok && standing.why === 'expired' ? 'expired' : status
}

const described = (key: AccessKey, status: KeyStatus = key.status): string => {
  const { key_id, plan, owner, expires_at } = key
  const { account } = identityOf(key)
  const isTest = keyKind(key) === 'test'
  const notes = [
    status,
    isTest && 'test key',
    expires_at && `${status === 'expired' ? 'since' : 'expires'} ${expires_at}`,
    account !== key_id && `account ${account}`,
  ]
  return `${key_id}  ${plan.padEnd(5)}  ${notes.filter(Boolean).join(', ')}  ${owner}`
}
