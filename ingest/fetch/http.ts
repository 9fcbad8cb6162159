import { systemTime, type Time } from '../../base/time.ts'
import { documentLimits } from '../limits.ts'
import { keysIn, maskBytes, maskText } from '../mask.ts'
import { type AnswerMarks, DocumentError, type FetchRequest } from '../source.ts'
import { PublisherPace } from './pace.ts'
import { PartialBody } from './partial-body.ts'
import { hostOf, type Reach } from './reach.ts'
import { type HttpResponse, PrivateAddressError, send, unusedProxyAdvice } from './request.ts'
import { retryAfter } from './retry-after.ts'

export type HttpOptions = {
  /** User-Agent header; some publishers refuse the default one of a library. */
  readonly userAgent?: string
  /** Time limit of the whole request, redirects and body included. */
  readonly timeoutMs?: number
  /** Size limit of the uncompressed body. */
  readonly maxBytes?: number
  /** Publishers' limits; by default those of this process. */
  readonly pace?: PublisherPace
  readonly time?: Time
}

export type HttpRequest = HttpOptions & {
  readonly accept?: string
  /** Further headers. They are sent only to the origin of the address, never to another after a redirect. */
  readonly headers?: Readonly<Record<string, string>>
  /** Texts to hide in every answer, error and address, besides the keys that `keysIn` finds in addresses. */
  readonly secrets?: readonly string[]
  /** Hosts that may be asked, also after a redirect. Default: the host of the address only. */
  readonly reach?: Reach | undefined
  readonly signal?: AbortSignal | undefined
  /** See `FetchRequest.known`. Only for a caller that can do without the bytes of an answer that has not changed. */
  readonly known?: FetchRequest['known'] | undefined
}

export type HttpAnswer = {
  readonly bytes: Uint8Array
  /** Address after all redirects, without secrets. */
  readonly url: string
  /** Day of Last-Modified, `YYYY-MM-DD`, UTC. */
  readonly lastModified?: string
  readonly marks?: AnswerMarks
  /** True if the publisher says that its answer is the known one. There are no bytes then. */
  readonly isUnchanged?: boolean
}

/** The publisher asks not to be asked again before a time, UTC milliseconds. */
export class AskLater extends DocumentError {
  readonly notBefore: number
  constructor({ reason, message }: DocumentError, notBefore: number) {
    super(reason, message)
    this.notBefore = notBefore
  }
}

export const USER_AGENT = 'Almanac (economic data service; reads official statistics)'

const defaults = {
  userAgent: USER_AGENT,
  timeoutMs: 60_000,
  maxBytes: documentLimits.bytes,
  pace: new PublisherPace(),
  time: systemTime,
}

/**
 * GETs a document. Throws `DocumentError`: `http_404` (or the other status, with the beginning of the answer), `unreachable`,
 * `timed_out`, `truncated`, `too_large`, `bad_redirect`, `too_many_redirects`, `host_not_allowed`; `AskLater` for a 429 or 503
 * with a `Retry-After`, and `publisher_limit` before it would ask too often. An answer that is cut is continued where it broke
 * off, if the publisher can do that, otherwise asked for again. Throws the reason of `signal` when it aborts.
 */
export async function get(address: URL, request: HttpRequest = {}): Promise<HttpAnswer> {
  const { userAgent, timeoutMs, maxBytes, pace, time } = { ...defaults, ...request }
  const reach = request.reach ?? hostOf(address)
  const timeout = AbortSignal.timeout(timeoutMs)
  const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout
  const secrets = [...(request.secrets ?? []), ...keysIn(address)]
  const hidden = (text: string): string => maskText(text, secrets)
  const fail = (reason: string, detail: string, cause?: unknown) =>
    new DocumentError(reason, hidden(detail), '', cause === undefined ? {} : { cause })

  const maskedAddress = hidden(address.href)
  const known = request.known?.(maskedAddress)
  const conditions = {
    ...(known?.etag === undefined ? {} : { 'If-None-Match': known.etag }),
    ...(known?.lastModified === undefined ? {} : { 'If-Modified-Since': known.lastModified }),
  }

  let url = address
  // `ask` sets it, which the compiler does not see without the type.
  let stage = 'unreachable' as 'unreachable' | 'truncated'

  /** Asks once, for the rest of what is held. Sets `url` and `stage`; throws the platform's errors. */
  async function ask(part: PartialBody): Promise<HttpAnswer> {
    url = address
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      stage = 'unreachable'
      const reachable = reach(url)
      if (reachable === 'none')
        throw fail('host_not_allowed', `${url.host} is not a host that this source may be asked for at.`)
      await inTurn(url.host)
      const response = await send(url, {
        signal,
        onlyPublic: reachable === 'public',
        headers: {
          'User-Agent': userAgent,
          Accept: request.accept ?? '*/*',
          ...(part.rangeHeaders() ?? conditions),
          ...(url.origin === address.origin ? request.headers : {}),
        },
      })
      stage = 'truncated'
      const { status, header, body } = response
      if (status === 304 && known) {
        body.destroy()
        return { bytes: new Uint8Array(), url: hidden(url.href), isUnchanged: true }
      }
      const target = status >= 300 && status < 400 ? header('location') : null
      if (target !== null) {
        body.destroy()
        url = redirected(url, target, fail)
        secrets.push(...keysIn(url))
        continue
      }
      const isMore = part.begin(response)
      if (status !== 200 && !isMore) throw await refusal(response)
      if (!(await part.read(body, maxBytes))) throw fail('too_large', `${url} answered more than ${maxBytes} bytes.`)
      const missing = part.missing()
      if (missing !== undefined) throw new Error(missing)
      const modified = Date.parse(header('last-modified') ?? '')
      const marks = marksOf(maskedAddress, header('etag'), header('last-modified'))
      return {
        bytes: maskBytes(part.bytes(), secrets),
        url: hidden(url.href),
        ...(marks ? { marks } : {}),
        ...(Number.isNaN(modified) ? {} : { lastModified: new Date(modified).toISOString().slice(0, 10) }),
      }
    }
    throw fail('too_many_redirects', `${address} redirected more than ${MOST_REDIRECTS} times.`)
  }

  async function inTurn(host: string): Promise<void> {
    const wait = pace.take(host, MOST_WAIT_MS)
    if (wait > MOST_WAIT_MS) {
      const at = time.now() + wait
      const detail = `${host} has been asked as often as it allows; it may be asked again at ${new Date(at).toISOString()}.`
      throw new AskLater(fail('publisher_limit', detail), at)
    }
    if (wait > 0) await time.after(wait, signal)
  }

  async function refusal({ status, header, body }: HttpResponse): Promise<DocumentError> {
    const start = new PartialBody()
    // As much again is read, so that a secret which the cut would divide is known as one.
    await start.read(body, 2 * SHOWN_CHARS)
    const text = hidden(new TextDecoder().decode(start.bytes())).slice(0, SHOWN_CHARS).replace(/\s+/g, ' ').trim()
    const retry = header('retry-after')
    const advice = retry === null ? '' : ` Retry after: ${retry}.`
    const error = fail(`http_${status}`, `${url} answered ${status}: ${text || 'nothing'}.${advice}`)
    const isBusy = status === 429 || status === 503
    const notBefore = isBusy && retry !== null ? retryAfter(retry, time.now()) : undefined
    return notBefore === undefined ? error : new AskLater(error, notBefore)
  }

  const advice = () => (stage === 'unreachable' ? unusedProxyAdvice : '')
  const part = new PartialBody()
  for (let cuts = 1; ; cuts++) {
    try {
      return await ask(part)
    } catch (error) {
      if (error instanceof DocumentError) throw error
      if (error instanceof PrivateAddressError) throw fail('host_not_allowed', `${url}: ${error.message}.`, error)
      if (request.signal?.aborted) throw request.signal.reason
      if (timeout.aborted) throw fail('timed_out', `${url} did not answer whole within ${timeoutMs} ms.${advice()}`)
      if (stage === 'truncated' && cuts <= MOST_CUTS) continue
      const what = stage === 'unreachable' ? 'could not be reached' : 'broke off its answer'
      throw fail(stage, `${url} ${what}: ${reasonOf(error)}.${advice()}`, error)
    }
  }
}

/** Longest beginning of an answer that stands in an error. */
const SHOWN_CHARS = 2_000
const MOST_REDIRECTS = 5
/** Longest wait for a turn at a publisher, ms. For a longer one the caller is told when to come back. */
const MOST_WAIT_MS = 5_000
/** Number of times that a cut answer is asked for again, its rest if the publisher can give that. */
const MOST_CUTS = 3

/** Longest header that is kept of an answer. */
const MARK_CHARS = 500

function marksOf(address: string, etag: string | null, lastModified: string | null): AnswerMarks | undefined {
  const isKept = (mark: string | null): mark is string => mark !== null && mark.length <= MARK_CHARS
  if (!isKept(etag) && !isKept(lastModified)) return undefined
  return { address, ...(isKept(etag) ? { etag } : {}), ...(isKept(lastModified) ? { lastModified } : {}) }
}

/**
 * GETs a document as `get` does, and yields it unless the publisher says that it has not changed. `request` is that of
 * the fetch.
 */
export async function* getUnlessKnown(
  address: URL,
  http: HttpRequest,
  { known, onUnchanged, signal }: Pick<FetchRequest, 'known' | 'onUnchanged' | 'signal'>,
): AsyncIterable<HttpAnswer> {
  const answer = await get(address, { ...http, known, signal })
  if (answer.isUnchanged) onUnchanged?.(answer.url)
  else yield answer
}

/** Returns the address of a redirect. Refuses one from https to http, where others could read or change the answer. */
function redirected(from: URL, target: string, fail: (reason: string, detail: string) => DocumentError): URL {
  const to = URL.parse(target, from.href)
  const allowed = to?.protocol === 'https:' || (to?.protocol === 'http:' && from.protocol === 'http:')
  if (!to || !allowed) throw fail('bad_redirect', `${from} redirects to ${JSON.stringify(target.slice(0, 200))}.`)
  return to
}

const reasonOf = (error: unknown): string => {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}
