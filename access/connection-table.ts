type ConnectionLimits = {
  /** Connections open at once. */
  readonly total: number
  /** Connections open at once from one remote address, not counting clients that have presented a key or ticket. */
  readonly perAddress: number
}

/** `address`: this address already has all the connections it may have now. `total`: the port is full. */
export type RefusalReason = 'address' | 'total'
export const refusalReasons: readonly RefusalReason[] = ['address', 'total']

type ConnectionTableOptions = {
  readonly limits: ConnectionLimits
  /** Whether many clients share this address, as behind a proxy. Only the total limits such an address. */
  readonly isShared?: (address: string) => boolean
  readonly onRefused?: (address: string, reason: RefusalReason) => void
}

/**
 * The share of the free places that one address may take. While a port fills up, the addresses with the most
 * connections are refused first, so an address without a connection still finds a place.
 */
const SHARE_OF_FREE = 1 / 8

/**
 * Counts the connections of one port, in total and per remote address, so that the server can refuse a connection at
 * its accept. It does no I/O: the server reports what opens and what closes.
 */
export class ConnectionTable {
  readonly #options: ConnectionTableOptions
  readonly #byAddress = new Map<string, number>()
  #open = 0

  constructor(options: ConnectionTableOptions) {
    this.#options = options
  }

  get open(): number {
    return this.#open
  }

  /**
   * Counts a new connection. False if the server must close it at once; it is then not counted. `address` is written as
   * Node, uWebSockets.js or a header writes it.
   */
  admit(address: string): boolean {
    const counted = countedAddress(address)
    const refusal = this.#refusalOf(address, counted)
    if (refusal) this.#options.onRefused?.(counted, refusal)
    else this.#add(counted)
    return !refusal
  }

  /** Removes a closed connection, which was admitted under this address, from the counts. */
  leave(address: string): void {
    if (this.#forget(address)) this.#open--
  }

  /**
   * Records that the client of an open connection has presented a key or ticket. From now on the connection counts
   * towards the total only. Its key has a limit of its own, and many such clients may share an address (NAT). When it
   * closes, call `leaveIdentified`.
   */
  identify(address: string): void {
    this.#forget(address)
  }

  /** Removes a closed connection, for which `identify` was called, from the total. */
  leaveIdentified(): void {
    if (this.#open > 0) this.#open--
  }

  /** Counts an open connection under another address from now on. False if that address has too many; then nothing changes. */
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

  /** Removes one connection from the count of its address; false if the address has none. */
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
 * The address under which connections are counted. IPv4 counts as it is, also where it is written inside IPv6. IPv6
 * counts by its first 64 bits, because a single host can use every address below them.
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
