import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { AccessError } from '../../access/error.ts'
import { type Identity, identityOf } from '../../access/identity.ts'
import { KeyTable } from '../../access/key-table.ts'
import { createKey, revokeKey, rotateKey } from '../../access/keys.ts'
import { plans } from '../../contracts/plans.ts'
import type { AccessKey } from '../../contracts/records.ts'
import type { Plan } from '../../contracts/resources.ts'
import type { Config } from '../../infra/config.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import { type Command, print, UsageError } from '../command.ts'
import { openAccess, openJournal } from '../parts.ts'

export const command: Command = {
  summary: 'Creates, lists, rotates and revokes API keys',
  usage: `almanac keys create --plan free|basic|pro --owner NAME [--origin URL]… [--expires DATE] [--test] [--json]
almanac keys list [--json]
almanac keys rotate KEY_ID [--overlap HOURS] [--json]
almanac keys revoke KEY_ID [--json]

A key is shown once; only its SHA-256 is kept. --origin names a web origin for which stream tickets may be issued
(https, or any loopback address); --expires is a date (its first moment, UTC) or an instant. A rotated key stays valid for
--overlap hours (default 24); the new key goes on with its quota, calls a minute and stream slots, which both share: their
account, by the id of the line's first key. A revoked key stops working within a second, on every node, for ever.`,
  async run([action = '', ...args], config) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        plan: { type: 'string' },
        owner: { type: 'string' },
        origin: { type: 'string', multiple: true, default: [] },
        expires: { type: 'string' },
        overlap: { type: 'string', default: '24' },
        test: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
      },
    })
    const say = (object: object, text: string) => print(values.json ? JSON.stringify(object) : text)
    const journal = await openJournal(config)
    try {
      const now = Date.now()
      switch (action) {
        case 'create': {
          const { plan, owner, origin, test } = values
          if (!plan || !Object.hasOwn(plans, plan))
            throw new UsageError(`--plan is one of ${Object.keys(plans).join(', ')}`)
          if (!owner) throw new UsageError('--owner says whom the key is for')
          const wanted = {
            kind: test ? 'test' : 'live',
            plan: plan as Plan,
            owner,
            origins: origin,
            expiresAt: instant(values.expires),
          } as const
          const { key, record } = createKey(wanted, now, randomBytes)
          await append(journal, [record], now)
          say(shown(key, record), `${key}\n  ${described(record)}\nThis is the only time the key is shown.`)
          return 0
        }
        case 'list': {
          const keys = (await readKeys(journal)).list()
          if (values.json) print(JSON.stringify(keys.map(listed)))
          else print(keys.map(described).join('\n') || 'there are no keys')
          return 0
        }
        case 'rotate': {
          const old = await keyNamed(journal, positionals)
          const hours = Number(values.overlap)
          if (!(hours >= 0)) throw new UsageError(`--overlap takes hours, not ${JSON.stringify(values.overlap)}`)
          const { key, records } = rotateKey(old, { kind: 'live', overlapMs: hours * 3_600_000 }, now, randomBytes)
          await append(journal, records, now)
          const [record, ending] = records
          say(
            {
              ...shown(key, record),
              ...{ account: record.account, replaces: ending.key_id, replaced_until: ending.expires_at },
            },
            `${key}\n  ${described(record)}\n${ending.key_id} stays valid until ${ending.expires_at}.`,
          )
          return 0
        }
        case 'revoke': {
          const key = await keyNamed(journal, positionals)
          await flagRevoked(config, identityOf(key))
          await append(journal, [revokeKey(key)], now)
          say({ key_id: key.key_id, status: 'revoked' }, `${key.key_id} is revoked.`)
          return 0
        }
        default:
          throw new UsageError(`say what to do: create, list, rotate or revoke (almanac help keys)`)
      }
    } catch (error) {
      if (error instanceof AccessError && error.code !== 'unavailable') throw new UsageError(error.message)
      throw error
    } finally {
      await journal.close()
    }
  },
}

/** The flag first: from then on no node grants the key anything, even one that doesn't see the journal. */
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

async function keyNamed(journal: TypedJournal, [keyId, ...rest]: readonly string[]): Promise<AccessKey> {
  if (keyId === undefined || rest.length > 0) throw new UsageError('name one key by its id (almanac keys list)')
  const key = (await readKeys(journal)).get(keyId)
  if (!key) throw new UsageError(`no key has the id ${JSON.stringify(keyId)} (almanac keys list)`)
  return key
}

function instant(text: string | undefined): number | null {
  if (text === undefined) return null
  const ms = /^\d{4}-\d{2}-\d{2}(T.*)?$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(ms)) throw new UsageError(`--expires takes a date or an instant, not ${JSON.stringify(text)}`)
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

/** All but the hash, and the account by name, also of a key from before accounts. */
const listed = ({ hash: _, ...key }: AccessKey) => ({ ...key, account: identityOf(key).account })

const described = (key: AccessKey): string => {
  const { key_id, plan, owner, status, expires_at } = key
  const { account } = identityOf(key)
  const notes = [status, expires_at && `expires ${expires_at}`, account !== key_id && `account ${account}`]
  return `${key_id}  ${plan.padEnd(5)}  ${notes.filter(Boolean).join(', ')}  ${owner}`
}
