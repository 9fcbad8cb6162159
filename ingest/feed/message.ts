import { readInstant } from '../read/instant.ts'
import { rejectOf } from '../read/items.ts'
import { isArray, isObject, type Json, type JsonObject, parseJson, printed } from '../read/json.ts'
import { DocumentError, type Price, type Reject } from '../source.ts'

/**
 * Parses one message of the feed (docs/price-feed.md): `{"symbol","price","time"}` or an array of such objects. Ignores other
 * members, and objects with neither symbol nor price: heartbeats, answers to a subscription. Keeps each number as the text in
 * the message, because a binary float would change it. The writer checks the price itself. A bad item becomes a `Reject` with
 * its own text and leaves the others alone: `malformed_json`, `not_an_object`, `missing_member`, `bad_member`, `bad_date`.
 */
export function parseMessage(text: string): readonly (Price | Reject)[] {
  let json: Json
  try {
    json = parseJson(text)
  } catch (error) {
    if (error instanceof DocumentError) return [rejectOf(error.reason, error.message, '', text)]
    throw error
  }
  if (!isArray(json)) return itemOf(json)
  return json.flatMap(itemOf)
}

function itemOf(json: Json): (Price | Reject)[] {
  const reject = (reason: string, detail: string) => [rejectOf(reason, detail, '', JSON.stringify(json))]
  if (!isObject(json)) return reject('not_an_object', 'A price is an object with symbol, price and time.')
  if (json.symbol === undefined && json.price === undefined) return []
  const missing = ['symbol', 'price', 'time'].find((member) => (json[member] ?? null) === null)
  if (missing) return reject('missing_member', `${missing} is missing.`)
  const symbol = textOf(json, 'symbol')
  const price = printed(json.price)
  const time = textOf(json, 'time')
  if (symbol === undefined) return reject('bad_member', 'symbol is not text.')
  if (price === undefined) return reject('bad_member', 'price is neither text nor a number.')
  const observedAt = time === undefined ? undefined : readInstant(time)
  if (observedAt === undefined) return reject('bad_date', 'time is not an ISO 8601 instant with its offset from UTC.')
  return [{ kind: 'price', symbol, printed: price, observedAt, location: '' }]
}

const textOf = (json: JsonObject, member: string): string | undefined => {
  const value = json[member]
  return typeof value === 'string' ? value : undefined
}
