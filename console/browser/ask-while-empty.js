/** Pauses before asking again, seconds: half a minute in all. Each question costs a call of the key. */
const PAUSES_S = [2, 4, 8, 16]

/**
 * Asks until the answer has something, at most five times, with growing pauses. Right after a start the service has prices
 * but no candles yet. Returns the last answer, empty or not. Rejects as `ask` does; never settles once `signal` has
 * aborted during a pause.
 *
 * @template T
 * @param {() => Promise<T>} ask
 * @param {{ isEmpty: (answer: T) => boolean, onEmpty: (seconds: number) => void, signal: AbortSignal }} options
 * `onEmpty` is told how long the pause before the next question is
 * @returns {Promise<T>}
 */
export async function askWhileEmpty(ask, { isEmpty, onEmpty, signal }) {
  for (const seconds of PAUSES_S) {
    const answer = await ask()
    if (!isEmpty(answer) || signal.aborted) return answer
    onEmpty(seconds)
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, seconds * 1000)
      signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
    })
  }
  return ask()
}
