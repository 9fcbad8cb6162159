import { adviceFor } from './advice.ts'
import { convertDecimals, type DecimalConverter } from './decimal.ts'
import { RestError } from './errors.ts'
import { operations } from './generated/operations.ts'
import type { Operations } from './generated/schema.ts'

export type OperationId = keyof typeof operations
export type OperationArgs<Id extends OperationId> = Operations[Id]['args']
export type OperationAnswer<Id extends OperationId, D = string> = Operations<D>[Id]['answer']

type CallOptions = { readonly signal?: AbortSignal }

/** Every operation of the service, by its id. An operation without arguments that must be given takes none. */
export type RestMethods<D> = {
  readonly [Id in OperationId]: Record<never, never> extends OperationArgs<Id>
    ? (args?: OperationArgs<Id>, options?: CallOptions) => Promise<OperationAnswer<Id, D>>
    : (args: OperationArgs<Id>, options?: CallOptions) => Promise<OperationAnswer<Id, D>>
}

type RestOptions<D> = {
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
  readonly methods: RestMethods<D>

  constructor(options: RestOptions<D>) {
    this.#options = options
    const methods = Object.keys(operations).map((id) => [
      id,
      // A cast, because `Object.keys` forgets the type of the keys.
      (args?: object, more?: CallOptions) => this.call(id as OperationId, args as never, more),
    ])
    // A cast: there is a method for each operation, and `call` has their types.
    this.methods = Object.fromEntries(methods) as RestMethods<D>
  }

  /** Calls an operation, and repeats it where the service says that it may succeed soon. */
  async call<Id extends OperationId>(
    id: Id,
    args: OperationArgs<Id>,
    options: CallOptions = {},
  ): Promise<OperationAnswer<Id, D>> {
    const [, , schema] = operationOf(id)
    // An operation without a schema answers in text of some other type.
    const { answer, text } = await this.#answer(id, args, schema === '' ? '*/*' : 'application/json', options)
    const type = answer.headers.get('content-type') ?? ''
    const body: unknown = type.includes('application/json') ? JSON.parse(text) : text
    const { decimal } = this.#options
    const converted = decimal ? convertDecimals(body, schema, decimal) : body
    // A cast: the service answers as it describes itself, and the types are made from that description.
    return converted as OperationAnswer<Id, D>
  }

  /** The answer of an operation as CSV, if it has such a form. */
  async csv<Id extends OperationId>(id: Id, args: OperationArgs<Id>, options: CallOptions = {}): Promise<string> {
    return (await this.#answer(id, args, 'text/csv', options)).text
  }

  async #answer(id: OperationId, args: object = {}, accept: string, { signal }: CallOptions): Promise<Answered> {
    const { url, method, body } = requestOf(id, args)
    const { baseUrl, key, retries, fetch: send } = this.#options
    const headers: Record<string, string> = { accept }
    if (key !== undefined) headers.authorization = `Bearer ${key}`
    if (body !== undefined) headers['content-type'] = 'application/json'
    for (let attempt = 0; ; attempt++) {
      const answered = await read(send, baseUrl + url, { method, headers, body: body ?? null, signal: signal ?? null })
      if (answered.answer.ok) return answered
      const problem = problemOf(answered)
      const wait = waitBefore(attempt, problem)
      if (attempt >= retries || wait === undefined) throw problem
      await new Promise((resolve) => setTimeout(resolve, wait))
      signal?.throwIfAborted()
    }
  }
}

type Answered = { readonly answer: Response; readonly text: string }

/** Reads a whole answer. Throws `RestError` if there is none, or only a part of one. */
async function read(send: typeof fetch, url: string, init: RequestInit): Promise<Answered> {
  try {
    const answer = await send(url, init)
    return { answer, text: await answer.text() }
  } catch (error) {
    // The caller has cancelled the call, and gets the reason that it gave.
    if (init.signal?.aborted) throw error
    const detail = `${url} cannot be reached: ${reasonOf(error)}. Check that the service runs, and that \`url\` is its address.`
    throw new RestError({ code: 'unreachable', detail, cause: error })
  }
}

/** Returns the reason of a failed `fetch`. In Node its message is always "fetch failed", and the cause says why. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  if (!(cause instanceof Error)) return error.message
  // The addresses of a host that were tried one after the other are one error without a message.
  return cause.message || ('code' in cause ? String(cause.code) : error.message)
}

function problemOf({ answer: { status, headers }, text }: Answered): RestError {
  const { code = 'unknown', title, detail, request_id } = membersOf(text)
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return new RestError({
    code: String(code),
    detail: String(detail ?? title ?? `The answer has status ${status}.`),
    status,
    requestId: typeof request_id === 'string' ? request_id : null,
    retryAfter: Number.isFinite(seconds) ? seconds : null,
  })
}

/** The members of a problem document; none of a text that is something else, such as a proxy's error page. */
export function membersOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const body: unknown = JSON.parse(text)
    // A cast, because the type of an object does not say what members it may have.
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** Milliseconds before a call is repeated; undefined if it should not be. */
function waitBefore(attempt: number, { isRetryable, retryAfter }: RestError): number | undefined {
  if (!isRetryable || (retryAfter ?? 0) > MAX_WAIT_S) return undefined
  return (retryAfter ?? 0) * 1_000 + Math.random() * FIRST_WAIT_MS * 2 ** attempt
}

/** Throws where a program without types names an operation that there is not. */
function operationOf<Id extends OperationId>(id: Id): (typeof operations)[Id] {
  if (Object.hasOwn(operations, id)) return operations[id]
  throw new TypeError(`There is no operation "${id}". ${adviceFor(id, Object.keys(operations))}`)
}

/** Throws where a program without types leaves out a part of the path. */
function requestOf(id: OperationId, args: object) {
  const [method, template] = operationOf(id)
  const left = new Map<string, unknown>(Object.entries(args).filter(([, value]) => value !== undefined))
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = left.get(name)
    if (value === undefined) throw new TypeError(`${id} needs "${name}".`)
    left.delete(name)
    return encodeURIComponent(String(value))
  })
  if (method !== 'GET') return { url: path, method, body: JSON.stringify(Object.fromEntries(left)) }
  const query = new URLSearchParams()
  for (const [name, value] of left) for (const item of [value].flat()) query.append(name, String(item))
  return { url: query.size > 0 ? `${path}?${query}` : path, method, body: undefined }
}
