/** Limits of one listening port. */
type ConnectionLimits = {
  /** Connections open at once. */
  readonly total: number
  /** Connections open at once from one remote address whose clients have not shown a key. */
  readonly perAddress: number
}

/** `address`: this address has as many connections as it may have now. `total`: the port is full. */
export type RefusalReason = 'address' | 'total'
export const refusalReasons: readonly RefusalReason[] = ['address', 'total']

type ConnectionTableOptions = {
  readonly limits: ConnectionLimits
  /** Whether many clients connect from this address (a proxy): it is bounded by the total alone. */
  readonly isShared?: (address: string) => boolean
  readonly onRefused?: (address: string, reason: RefusalReason) => void
}

/**
 * One address may take no more than this part of the places that are free. While a port fills up, the addresses with the
 * most connections are refused first, and one that has none yet still finds a place.
 */
const SHARE_OF_FREE = 1 / 8

/**
 * The connections of one port, counted in total and per remote address, so that a newcomer can be judged at its accept.
 * Pure bookkeeping: the server says what opens and what closes.
 */
export class ConnectionTable {
  readonly #options: ConnectionTableOptions
  readonly #byAddress = new Map<string, number>()
  #open = 0

  constructor(options: ConnectionTableOptions) {
    this.#options = options
  }

  get limits(): ConnectionLimits {
    return this.#options.limits
  }

  /** Connections open now. */
  get open(): number {
    return this.#open
  }

  /** Counts a new connection; false if it must be closed at once, uncounted. `address` is as Node, uWebSockets.js or a header writes it. */
  admit(address: string): boolean {
    const counted = countedAddress(address)
    const refusal = this.#refusalOf(address, counted)
    if (refusal) this.#options.onRefused?.(counted, refusal)
    else this.#add(counted)
    return !refusal
  }

  /** A connection that was admitted under this address has closed. */
  leave(address: string): void {
    if (this.#forget(address)) this.#open--
  }

  /**
   * The client of an open connection has shown a key or ticket. From now on the connection counts towards the total only:
   * its key has a limit of its own, and many such clients may share an address (NAT). It ends with `leaveIdentified`.
   */
  identify(address: string): void {
    this.#forget(address)
  }

  /** A connection that `identify` was called for has closed. */
  leaveIdentified(): void {
    if (this.#open > 0) this.#open--
  }

  /** Counts an open connection under another address from now on. False, with nothing changed, if that one has too many. */
  move(from: string, to: string): boolean {
    this.leave(from)
    if (this.admit(to)) return true
    this.#add(countedAddress(from))
    return false
  }

  #refusalOf(address: string, counted: string): RefusalReason | undefined {
    const { limits, isShared } = this.#options
    const free = limits.total - this.#open
    if (free <= 0) return 'total'
    const count = this.#byAddress.get(counted) ?? 0
    const most = Math.min(limits.perAddress, Math.max(1, free * SHARE_OF_FREE))
    return count < most || isShared?.(address) ? undefined : 'address'
  }

  /** Takes one connection off its address; false if the address has none. */
  #forget(address: string): boolean {
    const counted = countedAddress(address)
    const count = this.#byAddress.get(counted) ?? 0
    if (count > 1) this.#byAddress.set(counted, count - 1)
    else this.#byAddress.delete(counted)
    return count > 0
  }

  #add(counted: string): void {
    this.#byAddress.set(counted, (this.#byAddress.get(counted) ?? 0) + 1)
    this.#open++
  }
}

/**
 * The address that connections are counted under: IPv4 as it is, also where it is written inside IPv6; of IPv6 the first
 * 64 bits, since a single host can use every address below them.
 */
export function countedAddress(address: string): string {
  if (!address.includes(':')) return address
  const words = wordsOf(address.split('%')[0] ?? '')
  if (words.slice(0, 5).every((word) => word === 0) && words[5] === 0xffff) {
    return [words[6] ?? 0, words[7] ?? 0].flatMap((word) => [word >> 8, word & 255]).join('.')
  }
  const prefix = words.slice(0, 4).map((word) => word.toString(16))
  return `${prefix.join(':')}::/64`
}

/** The eight 16-bit words of an IPv6 address. */
function wordsOf(address: string): number[] {
  const [head = '', tail] = address.split('::')
  const left = wordsOfPart(head)
  if (tail === undefined) return left
  const right = wordsOfPart(tail)
  return [...left, ...Array<number>(Math.max(0, 8 - left.length - right.length)).fill(0), ...right]
}

const wordsOfPart = (part: string): number[] =>
  part
    .split(':')
    .filter(Boolean)
    .flatMap((word) => (word.includes('.') ? wordsOfIPv4(word) : [Number.parseInt(word, 16)]))

function wordsOfIPv4(address: string): number[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  return [a * 256 + b, c * 256 + d]
}
