/**
 * Keeps a stream of the service open: a fresh ticket for each connection, and another connection after each that ends.
 *
 * @import { ApiClient } from './api-client.js'
 */
import { ServiceProblem } from './api-client.js'
import { reconnectDelay } from './reconnect-delay.js'

/** Longer than the service is silent: it sends a heartbeat every 30 s. */
const SILENCE_MS = 45_000

/**
 * @typedef {{ phase: 'connecting' }
 *   | { phase: 'live', isSimulated: boolean }
 *   | { phase: 'waiting', until: number, code: string, detail: string }
 *   | { phase: 'refused', code: string, detail: string }
 *   | { phase: 'ended' }} StreamState `ended`: by the page
 */

/**
 * @template Message
 * @param {object} options
 * @param {ApiClient} options.client
 * @param {'prices' | 'events'} options.stream
 * @param {() => object} options.subscription members of the subscribe message; asked for each connection
 * @param {(message: Message) => void} options.onMessage called with every message but `ready`, `subscribed` and `error`
 * @param {(state: StreamState) => void} options.onState
 * @param {AbortSignal} options.signal ends it
 */
export function openStream({ client, stream, subscription, onMessage, onState, signal }) {
  let attempt = 0
  /** @type {WebSocket | undefined} */
  let socket
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer
  let isWaiting = false

  const again = (/** @type {string} */ code, /** @type {string} */ detail) => {
    if (signal.aborted) return
    const delay = reconnectDelay(code, attempt, Math.random())
    if (delay === undefined) return onState({ phase: 'refused', code, detail })
    attempt++
    isWaiting = true
    onState({ phase: 'waiting', until: Date.now() + delay, code, detail })
    timer = setTimeout(connect, delay)
  }

  async function connect() {
    isWaiting = false
    onState({ phase: 'connecting' })
    try {
      const { text, source } = await client.ask(`/v1/${stream}/stream-ticket`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ origin: client.origin }),
        signal,
      })
      if (!signal.aborted) listen(JSON.parse(text).url, source === 'simulator')
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof ServiceProblem)) throw error
      const isPassing = error.status === 0 || error.status === 429 || error.status >= 500
      if (isPassing) again('unavailable', error.message)
      else onState({ phase: 'refused', code: error.code, detail: error.message })
    }
  }

  /**
   * @param {string} url
   * @param {boolean} isSimulated
   */
  function listen(url, isSimulated) {
    let code = 'unavailable'
    const own = new WebSocket(url)
    socket = own
    const watch = () => {
      clearTimeout(timer)
      timer = setTimeout(() => own.close(), SILENCE_MS)
    }
    watch()
    own.onmessage = ({ data }) => {
      // A socket that is being closed may still have messages.
      if (signal.aborted) return
      watch()
      client.watch?.hear()
      const message = JSON.parse(data)
      if (message.type === 'ready') own.send(JSON.stringify({ action: 'subscribe', ...subscription() }))
      else if (message.type === 'subscribed') {
        attempt = 0
        onState({ phase: 'live', isSimulated })
      } else if (message.type === 'error') code = message.code
      else onMessage(message)
    }
    own.onclose = ({ reason }) => {
      clearTimeout(timer)
      if (!signal.aborted) void client.watch?.check()
      again(code, reason)
    }
  }

  const connectNow = () => {
    // What was in vain while the service was away says nothing about the next attempt.
    attempt = 0
    if (!isWaiting) return
    clearTimeout(timer)
    void connect()
  }
  client.watch?.onBack(connectNow, signal)
  signal.addEventListener('abort', () => {
    clearTimeout(timer)
    socket?.close()
    onState({ phase: 'ended' })
  })
  void connect()
}
