import { convertDecimals, type DecimalConverter } from './decimal.ts'
import { ProblemError } from './errors.ts'
import { operations, type operations as table } from './generated/operations.ts'
import type { Operations } from './generated/schema.ts'

export type OperationId = keyof typeof table
export type Args<Id extends OperationId> = Operations[Id]['args']
export type Answer<Id extends OperationId, D = string> = Operations<D>[Id]['answer']

type CallOptions = { readonly signal?: AbortSignal }

/** Every operation of the service, by its id. An operation without arguments that must be given takes none. */
export type Rest<D> = {
  readonly [Id in OperationId]: Record<never, never> extends Args<Id>
    ? (args?: Args<Id>, options?: CallOptions) => Promise<Answer<Id, D>>
    : (args: Args<Id>, options?: CallOptions) => Promise<Answer<Id, D>>
}

export type RestOptions<D> = {
  readonly baseUrl: string
  readonly key: string | undefined
  readonly fetch: typeof fetch
  readonly decimal: DecimalConverter<D> | undefined
  /** Times that a call is repeated after 429, 502, 503 or 504. */
  readonly retries: number
}

/** Longest `Retry-After` that is waited for, s. A used-up month is longer, and is reported. */
const MAX_WAIT_S = 30
const FIRST_WAIT_MS = 250

export class RestCalls<D> {
  readonly #options: RestOptions<D>
  readonly methods: Rest<D>

  constructor(options: RestOptions<D>) {
    this.#options = options
    const methods = Object.keys(operations).map((id) => [
      id,
      // A cast, because `Object.keys` forgets the type of the keys.
      (args?: object, more?: CallOptions) => this.call(id as OperationId, args as never, more),
    ])
    // A cast: there is a method for each operation, and `call` has their types.
    this.methods = Object.fromEntries(methods) as Rest<D>
  }

  /** Calls an operation, and repeats it where the service says that it may succeed soon. */
  async call<Id extends OperationId>(id: Id, args: Args<Id>, options: CallOptions = {}): Promise<Answer<Id, D>> {
    const [, , schema] = operations[id]
    // An operation without a schema answers in text of some other type.
    const answer = await this.#answer(id, args, schema === '' ? '*/*' : 'application/json', options)
    const type = answer.headers.get('content-type') ?? ''
    const body: unknown = type.includes('application/json') ? await answer.json() : await answer.text()
    const { decimal } = this.#options
    const converted = decimal ? convertDecimals(body, schema, decimal) : body
    // A cast: the service answers as it describes itself, and the types are made from that description.
    return converted as Answer<Id, D>
  }

  /** The answer of an operation as CSV, if it has such a form. */
  async csv<Id extends OperationId>(id: Id, args: Args<Id>, options: CallOptions = {}): Promise<string> {
    return (await this.#answer(id, args, 'text/csv', options)).text()
  }

  async #answer(id: OperationId, args: object = {}, accept: string, { signal }: CallOptions): Promise<Response> {
    const { url, method, body } = requestOf(id, args)
    const { baseUrl, key, retries, fetch: send } = this.#options
    const headers: Record<string, string> = { accept }
    if (key !== undefined) headers.authorization = `Bearer ${key}`
    if (body !== undefined) headers['content-type'] = 'application/json'
    for (let attempt = 0; ; attempt++) {
      const answer = await send(baseUrl + url, { method, headers, body: body ?? null, signal: signal ?? null })
      if (answer.ok) return answer
      const problem = new ProblemError(answer, await answer.json().catch(() => undefined))
      const wait = waitBefore(attempt, problem)
      if (attempt >= retries || wait === undefined) throw problem
      await new Promise((resolve) => setTimeout(resolve, wait))
      signal?.throwIfAborted()
    }
  }
}

/** Milliseconds before a call is repeated; undefined if it should not be. */
function waitBefore(attempt: number, { isRetryable, retryAfter }: ProblemError): number | undefined {
  if (!isRetryable || (retryAfter ?? 0) > MAX_WAIT_S) return undefined
  return (retryAfter ?? 0) * 1_000 + Math.random() * FIRST_WAIT_MS * 2 ** attempt
}

function requestOf(id: OperationId, args: object) {
  const [method, template] = operations[id]
  const left = new Map<string, unknown>(Object.entries(args).filter(([, value]) => value !== undefined))
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = left.get(name)
    left.delete(name)
    return encodeURIComponent(String(value))
  })
  if (method !== 'GET') return { url: path, method, body: JSON.stringify(Object.fromEntries(left)) }
  const query = new URLSearchParams()
  for (const [name, value] of left) for (const item of [value].flat()) query.append(name, String(item))
  return { url: query.size > 0 ? `${path}?${query}` : path, method, body: undefined }
}
