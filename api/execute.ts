import { cancelTimer, type Time } from '../base/time.ts'
import type { Operation } from '../contracts/operation.ts'
import { ProblemError, problems } from '../contracts/problems.ts'
import type { Answer } from './answer.ts'
import type { Moment } from './as-of/address.ts'
import type { CsvRequest } from './csv.ts'
import type { ApiDeps, Awaitable, Caller } from './deps.ts'
import type { FairSlots } from './fair-slots.ts'

/** The input of a call, already validated by the operation's schemas. */
export type OperationInput = {
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body?: unknown
  /** Present if the answer is to be CSV. */
  readonly csv?: CsvRequest | undefined
}

/**
 * The work of an operation, in two halves; a call is charged between them. `ask` checks what a schema cannot (400, 403, 410)
 * and returns what to read. `answer` reads it (404, 503).
 */
export type Handler = Work<OperationInput, unknown>

type Work<I extends OperationInput, Q> = {
  /** Whether the operation may query ClickHouse. Such operations run in slots that accounts share fairly; others never wait. */
  readonly needsSlot?: boolean
  ask(input: I, caller: Caller | null): Awaitable<Q>
  /** The answer, if it is made already: then no slot is needed. Where it is defined, only `answer` queries ClickHouse. */
  kept?(question: Q): Answer | undefined
  answer(question: Q): Awaitable<Answer>
}

/** Makes a handler with its own types. The cast is sound because the operation's schemas validate each input as an `I`. */
export const handler = <I extends OperationInput, Q>(own: Work<I, Q>): Handler => own as unknown as Handler

export type Handlers = Readonly<Record<string, Handler>>

/** What the execution of a call needs to know of its operation. */
export type Executable = Pick<Operation, 'id' | 'access'>

/** Runs an operation. `gone` makes a signal that aborts when the client leaves. It is called only if the operation waits. */
type Execute = (
  operation: Executable,
  input: OperationInput,
  caller: Caller | null,
  gone?: () => AbortSignal,
) => Awaitable<Answer>

/** Gives what runs the operations of a request: as of now, or as of the day in its address. */
export type ExecuteFor = (request: { readonly moment?: Moment }) => Execute

/** A read that takes longer times out: the answer is 503, and the call is refunded. */
const DEADLINE_MS = 10_000

type Run = {
  readonly operation: Executable
  readonly own: Handler
  readonly caller: Caller | null
  /** The read of the answer, once it has begun. It goes on after a timeout. */
  reading?: Promise<unknown>
}

/**
 * Runs operations, for REST and MCP alike: waits for a slot if one is needed, asks (before that, if the answer may be kept),
 * charges, answers. A call is charged once, whether it finds something (200) or not (404), and only when it has its slot. Calls
 * without a key share the slots of one account. A call that fails otherwise is refunded. If nothing has to be waited for, all of
 * it happens in one turn of the event loop.
 */
export function executor(
  { gate, answering }: Pick<ApiDeps, 'gate' | 'answering'>,
  handlers: Handlers,
  slots: FairSlots,
  time: Time,
): Execute {
  const answer = (run: Run, read: () => Awaitable<Answer>): Awaitable<Answer> => {
    const { operation, caller } = run
    const refundAndThrow = (error: unknown): never => {
      const charged = error instanceof ProblemError && problems[error.code].status === 404
      if (operation.access === 'charged' && caller && !charged) gate.refund(caller)
      throw error
    }
    try {
      if (operation.access === 'charged') requireReady(answering())
      const answered = read()
      if (!(answered instanceof Promise)) return answered
      run.reading = answered
      return withDeadline(answered, time).catch(refundAndThrow)
    } catch (error) {
      return refundAndThrow(error)
    }
  }

  const chargeFor = (run: Run, read: () => Awaitable<Answer>): Awaitable<Answer> => {
    const charged = run.operation.access === 'charged' && run.caller ? gate.charge(run.caller) : undefined
    return after(charged, () => answer(run, read))
  }

  const ask = (run: Run, input: OperationInput): Awaitable<Answer> =>
    after(run.own.ask(input, run.caller), (question) => chargeFor(run, () => run.own.answer(question)))

  const inSlot = async (
    run: Run,
    work: () => Awaitable<Answer>,
    gone: (() => AbortSignal) | undefined,
  ): Promise<Answer> => {
    const slot = await slots.take(run.caller?.account ?? '', gone)
    // In a later turn of the event loop: all that wait would else be answered in this one, if their reads are in memory.
    const release = () => time.soon(slot)
    try {
      return await work()
    } finally {
      // A read that timed out still runs, so its slot is released only when it has ended.
      if (run.reading) run.reading.then(release, release)
      else release()
    }
  }

  return (operation, input, caller, gone) => {
    const own = handlers[operation.id]
    if (!own) throw new Error(`operation ${operation.id} has no handler`)
    const run: Run = { operation, own, caller }
    if (!own.needsSlot) return ask(run, input)
    if (!own.kept) return inSlot(run, () => ask(run, input), gone)
    return after(own.ask(input, caller), (question) => {
      const kept = own.kept?.(question)
      return kept ? chargeFor(run, () => kept) : inSlot(run, () => chargeFor(run, () => own.answer(question)), gone)
    })
  }
}

/** Goes on with a value once it is there; if it is there already, in the same turn of the event loop. */
const after = <T, R>(value: Awaitable<T>, goOn: (value: T) => Awaitable<R>): Awaitable<R> =>
  value instanceof Promise ? value.then(goOn) : goOn(value)

/** Throws `unavailable` with the reason, if `state` is one. */
export function requireReady(state: true | string): void {
  if (state !== true) throw new ProblemError('unavailable', `Not ready yet: ${state}.`)
}

function withDeadline(answer: Promise<Answer>, time: Time): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const timer = time.timer(DEADLINE_MS, () => {
    const detail = `The answer took longer than ${DEADLINE_MS / 1000} s.`
    // With a cause it is logged: a service that is too slow is at fault itself.
    reject(new ProblemError('unavailable', detail, { cause: new Error('a read did not end in time') }))
  })
  answer.then(resolve, reject).finally(() => cancelTimer(timer))
  return promise
}
