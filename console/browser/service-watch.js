/**
 * Watches whether the service can be reached: now and then while it can, each second while it can't. Its readiness costs no
 * call and needs no key.
 *
 * @typedef {{ isAway: false } | { isAway: true, said: string, heard: number }} Presence
 * `said`: what a service says that is starting; `heard`: when it answered last, in milliseconds
 */
const EVERY_MS = { here: 10_000, away: 1000 }

/**
 * @param {object} options
 * @param {() => Promise<string>} options.ask what keeps the service from being ready, or an empty text; rejects if it can't be
 * reached
 * @param {(presence: Presence) => void} options.onChange
 * @param {() => boolean} options.isHidden while nobody looks at the page, nothing is asked
 */
export function serviceWatch({ ask, onChange, isHidden }) {
  let isAway = false
  let heard = Date.now()
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer
  /** @type {Promise<void> | undefined} */
  let checking
  /** @type {Set<() => void>} */
  const listeners = new Set()

  async function judge() {
    const said = await ask().catch(() => undefined)
    // A service that has trouble still answers; only one that was away has to be ready before it counts again.
    if (said === undefined || (isAway && said !== '')) {
      isAway = true
      return onChange({ isAway, said: said ?? '', heard })
    }
    heard = Date.now()
    if (!isAway) return
    isAway = false
    onChange({ isAway })
    for (const call of listeners) call()
  }

  const askLater = () => {
    clearTimeout(timer)
    timer = setTimeout(() => (isHidden() ? askLater() : void check()), isAway ? EVERY_MS.away : EVERY_MS.here)
  }

  /** Asks at once; calls that come meanwhile share the answer. */
  const check = () => {
    checking ??= judge().finally(() => {
      checking = undefined
      askLater()
    })
    return checking
  }
  askLater()
  return {
    check,
    isAway: () => isAway,
    /** Notes that the service has answered or sent something. */
    hear() {
      heard = Date.now()
    },
    /**
     * Calls each time that the service is back.
     *
     * @param {() => void} call
     * @param {AbortSignal} signal ends it
     */
    onBack(call, signal) {
      listeners.add(call)
      signal.addEventListener('abort', () => listeners.delete(call))
    },
  }
}
/** @typedef {ReturnType<typeof serviceWatch>} ServiceWatch */
