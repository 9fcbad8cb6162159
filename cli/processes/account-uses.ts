import { type Identity, identityOf } from '../../access/identity.ts'
import type { KeyTable } from '../../access/key-table.ts'
import type { Quota } from '../../access/quota.ts'
import type { AccountUse, Quotas } from '../../api/admin/overview/facts.ts'
import { nextTurn, type Time } from '../../base/time.ts'
import { plans } from '../../contracts/plans.ts'
import type { AccessKey } from '../../contracts/records.ts'

/** Accounts that are told, and accounts that are asked in one turn of the event loop. */
const TOLD = 100
const A_TURN = 50

/**
 * Reads what the accounts with a valid key have used of the month, the greatest share first. Rejects with AccessError if the
 * store does not answer.
 */
export async function accountUses(
  keys: Pick<KeyTable, 'list' | 'standing'>,
  quota: Pick<Quota, 'peek'>,
  time: Time,
): Promise<Quotas> {
  const now = time.now()
  // A key for addresses is charged to the account of the key that it was derived from.
  const valid = keys.list().filter((key) => key.parent === null && keys.standing(key.key_id, now).ok)
  const accounts = [...Map.groupBy(valid, (key) => identityOf(key).account).values()]
  const uses: AccountUse[] = []
  for (let from = 0; from < accounts.length; from += A_TURN) {
    const asked = accounts.slice(from, from + A_TURN).flatMap((all) => {
      const newest = all.toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1))[0]
      return newest ? [useOf(newest, all, quota, now)] : []
    })
    uses.push(...(await Promise.all(asked)))
    await nextTurn(time)
  }
  const mostUsed = uses.toSorted((a, b) => b.used / b.limit - a.used / a.limit).slice(0, TOLD)
  return { accounts: accounts.length, mostUsed }
}

/** `key`: the newest key of the account, with whose plan its calls are charged. */
async function useOf(key: AccessKey, all: readonly AccessKey[], quota: Pick<Quota, 'peek'>, now: number) {
  const identity: Identity = identityOf(key)
  const { plan, owner } = key
  const limit = plans[plan].callsPerMonth
  const { used } = await quota.peek(identity, limit, now)
  return { account: identity.account, keyIds: all.map(({ key_id }) => key_id), owner, plan, used, limit }
}
