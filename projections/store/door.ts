/** Checks at each entrance of the store whether a request is allowed. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { refuse } from './errors.ts'
import type { StoreUser } from './reader.ts'

/**
 * Entrance of the store. A Unix socket is protected by its directory's permissions. A TCP port can be reached by every
 * process and browser of the machine, so there each request must bring a password and name a loopback host. An
 * undefined password admits every request; only tests use that.
 */
export type Door =
  | { readonly kind: 'socket' }
  | { readonly kind: 'tcp'; readonly password: string | undefined; readonly readerPassword?: string | undefined }
  /** Port for the user `reader` alone, which may be reached from other machines and through a proxy. */
  | { readonly kind: 'reader'; readonly readerPassword: string }

/**
 * Throws StoreError 497 for a request that a page in a browser may have sent. Such a request has a browser's headers,
 * or, on a TCP port, a `Host` that is no loopback name: the page's own name may now resolve to 127.0.0.1 (DNS
 * rebinding).
 */
export function assertNotFromBrowser(door: Door, { headers, headersDistinct }: IncomingMessage): void {
  if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined) {
    throw refuse(497, 'The store does not answer browsers.')
  }
  if (door.kind !== 'tcp') return
  const [host, ...more] = headersDistinct.host ?? []
  if (host !== undefined && more.length === 0 && isLoopback(host)) return
  const given = host === undefined ? 'missing' : `"${host.slice(0, 100)}"`
  throw refuse(497, `The Host header is ${given}; it must be 127.0.0.1, [::1] or localhost, with or without a port.`)
}

const isLoopback = (host: string): boolean => /^(127(\.\d{1,3}){3}|localhost|\[::1\])(:\d{1,5})?$/i.test(host)

/**
 * Returns the user whose rights the request has. Throws StoreError 516 unless the user is known at this door and
 * `presented` is its password, which is compared in constant time. The socket needs no password.
 */
export function authenticate(door: Door, name: string, presented: string): StoreUser {
  if (door.kind === 'socket') return name === 'reader' ? 'reader' : 'default'
  const user = name === '' ? 'default' : name
  const isKnown = user === 'reader' || (user === 'default' && door.kind === 'tcp')
  if (!isKnown) {
    const known = door.kind === 'tcp' ? 'The users are default and reader.' : 'The user of this port is reader.'
    throw refuse(516, `Authentication failed: unknown user "${user.slice(0, 100)}". ${known}`)
  }
  if (door.kind === 'tcp' && door.password === undefined) return user
  const password = user === 'default' && door.kind === 'tcp' ? door.password : door.readerPassword
  if (password !== undefined && isEqual(presented, password)) return user
  const wrong = presented === '' ? 'no password was sent' : 'the password is wrong'
  throw refuse(516, `Authentication failed: ${wrong}. It is in store.json in the data directory of the service.`)
}

function isEqual(presented: string, password: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(presented), digest(password))
}
