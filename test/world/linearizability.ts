/** A call and its answer, as a client saw them. Times are of one clock. */
export type Operation<I, O> = {
  readonly input: I
  /** Undefined if the caller never heard: the call may have had its effect at any time since, or never. */
  readonly output: O | undefined
  readonly calledAt: number
  /** Infinity without an answer. */
  readonly answeredAt: number
}

/** An object that does one call at a time. States are texts, so that equal ones are found again. */
type SequentialModel<I, O> = {
  readonly initial: string
  /** The states that a call may lead to if it gets this answer; none if it cannot. Without an answer: any that it may lead to. */
  readonly next: (state: string, input: I, output: O | undefined) => readonly string[]
}

/** Most states that are looked at before the checker gives up. */
const MOST_STATES = 1_000_000

/**
 * Whether there is an order of the calls, each at an instant between call and answer, in which an object that does one at a time
 * gives the same answers. The search of Wing and Gong, with Lowe's memory of what was tried, as in Porcupine. Throws if it takes
 * too long.
 */
export function isLinearizable<I, O>(model: SequentialModel<I, O>, history: readonly Operation<I, O>[]): boolean {
  const calls = history.toSorted((a, b) => a.calledAt - b.calledAt)
  const tried = new Set<string>()
  type Node = { readonly done: ReadonlySet<number>; readonly state: string }
  const left: Node[] = [{ done: new Set(), state: model.initial }]
  for (let node = left.pop(); node; node = left.pop()) {
    const { done, state } = node
    const open = calls.flatMap((call, i) => (done.has(i) ? [] : [{ call, i }]))
    const firstAnswer = Math.min(...open.map(({ call }) => call.answeredAt))
    if (open.every(({ call }) => call.output === undefined)) return true
    // Those without an answer come first onto the stack, so that they are tried last.
    const candidates = open
      .filter(({ call }) => call.calledAt <= firstAnswer)
      .toSorted((a, b) => b.call.answeredAt - a.call.answeredAt)
    for (const { call, i } of candidates)
      for (const after of model.next(state, call.input, call.output)) {
        const doneAfter = new Set(done).add(i)
        const name = `${nameOf(doneAfter, calls.length)} ${after}`
        if (tried.has(name)) continue
        if (tried.size >= MOST_STATES) throw new Error(`a history of ${calls.length} calls has too many orders`)
        tried.add(name)
        left.push({ done: doneAfter, state: after })
      }
  }
  return false
}

/** A set of numbers below `size` as a text: how many of them are done from the start on, and the others. */
function nameOf(done: ReadonlySet<number>, size: number): string {
  let start = 0
  while (start < size && done.has(start)) start++
  return `${start} ${[...done]
    .filter((i) => i > start)
    .sort((a, b) => a - b)
    .join()}`
}

/** A log of one partition: an append answers with the offset, and a read with all that was appended before it. */
export const logModel: SequentialModel<
  { readonly append: string } | 'read',
  { readonly offset: number } | { readonly ids: readonly string[] }
> = {
  initial: '',
  next(state, input, output) {
    const ids = state === '' ? [] : state.split(',')
    if (input === 'read') return !output || ('ids' in output && output.ids.join() === state) ? [state] : []
    const appended = [...ids, input.append].join()
    return !output || ('offset' in output && output.offset === ids.length) ? [appended] : []
  },
}

/** A ticket: the first redemption gets it, and later ones hear that it is used. */
export const ticketModel: SequentialModel<'redeem', 'redeemed' | 'used'> = {
  initial: 'new',
  next: (state, _, output) => (output === undefined || (output === 'used') === (state === 'used') ? ['used'] : []),
}

/**
 * Calls of a month: no more than `limit` are granted. `reserved`: the most calls that other processes may hold back, so that a call
 * is refused although fewer than `limit` were granted.
 */
export const quotaModel = (
  limit: number,
  reserved: number,
): SequentialModel<'take' | 'refund', 'granted' | 'exhausted' | 'refunded'> => ({
  initial: '0',
  next(state, input, output) {
    const granted = Number(state)
    if (input === 'refund') return [`${granted - 1}`]
    if (output === 'exhausted') return granted >= limit - reserved ? [state] : []
    return granted < limit ? [`${granted + 1}`] : []
  },
})
