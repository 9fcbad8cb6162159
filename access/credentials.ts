import { addressKeyShape, keyShape } from '../contracts/key-text.ts'

/** What the header `Authorization` says: the key in it, or why there is none, in words for the client. */
type Credentials = { readonly key: string } | { readonly fault: string }

const bearer = /^Bearer +([^ ]+) *$/i
const basic = /^Basic +([^ ]+) *$/i
/** Both are tried without regard to case (RFC 9110, 11.1). */
const startsWithBasic = /^Basic(?: |$)/i

/** The key in the header `Authorization`; undefined if the header is not "Bearer <API_KEY>". */
export const bearerKey = (authorization: string): string | undefined => bearer.exec(authorization)?.[1]

const faults = {
  notBearer: 'The Authorization header is not "Bearer <API_KEY>".',
  basicForReads: 'HTTP Basic is accepted for GET and HEAD only. Send "Authorization: Bearer <API_KEY>" here.',
  neither: 'The Authorization header is neither "Bearer <API_KEY>" nor HTTP Basic with the key.',
  notBase64: 'The Authorization header is not "Basic " and the base64 of "<user name>:<password>".',
  noKey: 'The user name and the password of HTTP Basic are not an API key. Send the key as one of the two.',
  twoKeys: 'The user name and the password of HTTP Basic are two different keys. Send one.',
} as const

export const malformedBearer = faults.notBearer

/** Reads credentials where Bearer alone is accepted. */
export function readBearer(authorization: string): Credentials {
  const key = bearerKey(authorization)
  if (key !== undefined) return { key }
  return { fault: startsWithBasic.test(authorization) ? faults.basicForReads : faults.notBearer }
}

/**
 * Reads credentials where HTTP Basic (RFC 7617) is accepted besides Bearer: many statistical clients can send nothing else.
 * The key is the user name or the password. The other one may be empty or anything else that is not a key.
 */
export function readBearerOrBasic(authorization: string): Credentials {
  const key = bearerKey(authorization)
  if (key !== undefined) return { key }
  if (!startsWithBasic.test(authorization)) return { fault: faults.neither }
  const pair = decodeBase64(basic.exec(authorization)?.[1] ?? '')
  const colon = pair?.indexOf(':') ?? -1
  if (pair === undefined || colon < 0) return { fault: faults.notBase64 }
  const keys = new Set([pair.slice(0, colon), pair.slice(colon + 1)].filter(isLikeKey))
  const [found, second] = keys
  if (found === undefined) return { fault: faults.noKey }
  return second === undefined ? { key: found } : { fault: faults.twoKeys }
}

const isLikeKey = (text: string): boolean => keyShape.test(text) || addressKeyShape.test(text)

/** Decodes base64 only in its one exact spelling (RFC 4648, section 4), because Node skips characters that are none of it. */
function decodeBase64(text: string): string | undefined {
  const bytes = Buffer.from(text, 'base64')
  return text !== '' && bytes.toString('base64') === text ? bytes.toString('utf8') : undefined
}
