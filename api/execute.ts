import type { Operation } from '../contracts/operations.ts'
import { ProblemError, problems } from '../contracts/problems.ts'
import type { Answer } from './answer.ts'
import type { ApiDeps, Awaitable, Caller } from './deps.ts'

/** What a call is asked with, already valid by the operation's schemas. */
export type Input = {
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

/**
 * What an operation does, in the two halves between which a call is charged. `ask` judges what a schema cannot (400, 403,
 * 410) and says what is to be read; `answer` reads it (404, 503).
 */
export type Handler = {
  ask(input: Input, caller: Caller | null): unknown
  answer(question: unknown): Awaitable<Answer>
}

/** A handler by its own types; the operation's schemas are what makes an input of type `I`. */
export const handler = <I extends Input, Q>(own: {
  ask(input: I, caller: Caller | null): Awaitable<Q>
  answer(question: Q): Awaitable<Answer>
}): Handler => own as unknown as Handler

export type Handlers = Readonly<Record<string, Handler>>

export type Execute = (operation: Operation, input: Input, caller: Caller | null) => Awaitable<Answer>

/** A read that takes longer is given up, answered 503 and given back. */
const DEADLINE_MS = 10_000

/**
 * The one way in which an operation runs, for REST and MCP alike: ask, charge, answer. A call is charged once, whatever
 * it finds (200, 404); one that fails otherwise is given back. Stays in one turn where nothing has to be waited for.
 */
export function executor({ gate, ready }: Pick<ApiDeps, 'gate' | 'ready'>, handlers: Handlers): Execute {
  const answer = (operation: Operation, own: Handler, question: unknown, caller: Caller | null): Awaitable<Answer> => {
    const giveBack = (error: unknown): never => {
      const charged = error instanceof ProblemError && problems[error.code].status === 404
      if (operation.access === 'charged' && caller && !charged) gate.refund(caller)
      throw error
    }
    try {
      if (operation.access === 'charged') requireReady(ready())
      const answered = own.answer(question)
      return answered instanceof Promise ? withDeadline(answered).catch(giveBack) : answered
    } catch (error) {
      return giveBack(error)
    }
  }

  const charge = (operation: Operation, own: Handler, question: unknown, caller: Caller | null): Awaitable<Answer> => {
    const charged = operation.access === 'charged' && caller ? gate.charge(caller) : undefined
    return charged instanceof Promise
      ? charged.then(() => answer(operation, own, question, caller))
      : answer(operation, own, question, caller)
  }

  return (operation, input, caller) => {
    const own = handlers[operation.id]
    if (!own) throw new Error(`operation ${operation.id} has no handler`)
    const question = own.ask(input, caller)
    return question instanceof Promise
      ? question.then((asked) => charge(operation, own, asked, caller))
      : charge(operation, own, question, caller)
  }
}

function requireReady(state: true | string): void {
  if (state !== true) throw new ProblemError('unavailable', `Not ready yet: ${state}.`)
}

function withDeadline(answer: Promise<Answer>): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const timer = setTimeout(
    () => reject(new ProblemError('unavailable', `The answer took longer than ${DEADLINE_MS / 1000} s.`)),
    DEADLINE_MS,
  )
  answer.then(resolve, reject).finally(() => clearTimeout(timer))
  return promise
}
