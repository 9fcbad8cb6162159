const MASK = '***'

/** Length below which a secret could be a part of a figure or of a name, and would spoil it. Keys are much longer. */
const LEAST_CHARS = 6

/** Hides keys in a text of a publisher, which may repeat the request in its answer, however they are written there. */
export const maskText = (text: string, secrets: readonly string[]): string =>
  secrets.flatMap(spellingsOf).reduce(masked, text)

/** As `maskText`, in the bytes of an answer. All other bytes stay as they are. */
export function maskBytes(bytes: Uint8Array, secrets: readonly string[]): Buffer {
  const long = secrets.filter((secret) => secret.trim().length >= LEAST_CHARS)
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!long.flatMap(spellingsOf).some((secret) => body.includes(secret))) return body
  // Latin-1 has one character for each byte.
  const asLatin1 = (secret: string): string => Buffer.from(secret).toString('latin1')
  const shown = long.flatMap(spellingsOf).map(asLatin1).reduce(masked, body.toString('latin1'))
  return Buffer.from(shown, 'latin1')
}

const masked = (text: string, secret: string): string => text.replaceAll(secret, MASK)

/** A secret as it may stand in an address, and in what is said of one. The longer spellings come first. */
const spellingsOf = (secret: string): readonly string[] =>
  [new URLSearchParams({ '': secret }).toString().slice(1), encodeURIComponent(secret), secret, secret.trim()].filter(
    (spelling) => spelling !== '',
  )

/** Names of parameters that have a key, in the addresses of publishers and vendors. The last two are e-Stat's and the BEA's. */
const KEY_NAME = /key|token|secret|pass|auth|signature|^sig$|^app_?id$|^user_?id$/i

/**
 * The keys in an address: its password (a user name without one is a key, too), the login as it is sent, and parameters
 * that are named like a key and long enough to be one. As they are written there, and as they are meant.
 */
export function keysIn({ username, password, search }: URL): string[] {
  const login = [username, password].map(decoded).join(':')
  const secret = password || username
  const ofLogin = secret === '' ? [] : [secret, decoded(secret), Buffer.from(login).toString('base64')]
  const ofQuery = search
    .slice(1)
    .split('&')
    .flatMap((pair) => {
      const [[name = '', value = ''] = []] = new URLSearchParams(pair)
      return KEY_NAME.test(name) && value.length >= LEAST_CHARS ? [pair.slice(pair.indexOf('=') + 1), value] : []
    })
  return [...ofLogin, ...ofQuery]
}

/** An address without its keys. Any other text, such as the path of a file, is returned as it is. */
export function withoutKeys(text: string): string {
  const url = URL.parse(text)
  return url === null ? text : maskText(text, keysIn(url))
}

/** Text with its percent-encoding undone; as it is if that is malformed. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
