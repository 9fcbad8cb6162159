/**
 * Asks the service, with the key that was pasted. The key is sent in a header to the page's own origin and nowhere else.
 *
 * @import { Problem } from './bodies.d.ts'
 * @import { ServiceWatch } from './service-watch.js'
 */

/** A refusal of the service, or that it could not be reached. */
export class ServiceProblem extends Error {
  /** @param {Pick<Problem, 'code' | 'title' | 'detail' | 'status'>} problem */
  constructor({ code, title, detail, status }) {
    super(detail)
    this.code = code
    this.title = title
    this.status = status
  }
}

export const unreachable = () =>
  new ServiceProblem({
    code: 'unreachable',
    title: 'The service cannot be reached',
    detail: 'No answer came. It may be restarting, or the network is away.',
    status: 0,
  })

/** Whether no answer came at all. @param {unknown} error */
export const isUnreachable = (error) => error instanceof ServiceProblem && error.status === 0

/**
 * Calls left of the month, as the header RateLimit says it; undefined if it does not.
 *
 * @param {string | null} header
 */
export function remainingCalls(header) {
  const left = /"month";r=(\d+)/.exec(header ?? '')?.[1]
  return left === undefined ? undefined : Number(left)
}

/**
 * @typedef {{ readonly status: number, readonly text: string, readonly source: string | null, readonly date: string | null }} Answer
 * @typedef {Readonly<Record<string, string | readonly string[] | undefined>>} Query
 */

/**
 * @param {string} path
 * @param {Query} query
 */
export function pathWith(path, query = {}) {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const item of [value ?? []].flat()) search.append(name, item)
  }
  return search.size === 0 ? path : `${path}?${search}`
}

/**
 * @param {object} options
 * @param {() => string | undefined} options.key
 * @param {string} [options.origin] of the page, for tickets of streams
 * @param {(calls: number) => void} [options.onRemaining]
 * @param {(problem: ServiceProblem) => void} [options.onRefused] called when the key is not accepted
 * @param {ServiceWatch} [options.watch] is told what becomes of requests
 */
export function apiClient({ key, origin, onRemaining, onRefused, watch }) {
  /**
   * @param {string} path
   * @param {RequestInit} init
   * @returns {Promise<Answer>}
   */
  async function ask(path, init = {}) {
    const held = key()
    const headers = { ...init.headers, ...(held === undefined ? {} : { authorization: `Bearer ${held}` }) }
    /** @param {unknown} cause */
    const fail = async (cause) => {
      if (init.signal?.aborted) throw cause
      // The check comes first: a view that learns of the failure can then ask whether the service is away.
      await watch?.check()
      throw unreachable()
    }
    const response = await fetch(path, { ...init, headers, redirect: 'error', credentials: 'omit' }).catch(fail)
    const text = await response.text().catch(fail)
    const left = remainingCalls(response.headers.get('ratelimit'))
    if (left !== undefined) onRemaining?.(left)
    if (!response.ok) {
      const problem = new ServiceProblem(problemOf(response, text))
      if (problem.code === 'unauthorized' && held === key()) onRefused?.(problem)
      throw problem
    }
    watch?.hear()
    const { status } = response
    return { status, text, source: response.headers.get('almanac-source'), date: response.headers.get('date') }
  }
  return {
    ask,
    origin,
    watch,
    /**
     * The body of an answer. The type is that of the operation, which the service holds its answers to.
     *
     * @template T
     * @param {string} path
     * @param {{ query?: Query, signal?: AbortSignal }} options
     * @returns {Promise<T>}
     */
    async json(path, { query, signal } = {}) {
      const { text } = await ask(pathWith(path, query), signal ? { signal } : {})
      return JSON.parse(text)
    },
  }
}
/** @typedef {ReturnType<typeof apiClient>} ApiClient */

/** How long the service may take to say whether it is ready. */
const READY_WITHIN_MS = 2000

/**
 * What keeps the service from being ready, or an empty text. Rejects if it can't be reached, or if what is between it and this
 * page answers.
 */
export async function readinessOf() {
  const response = await fetch('/ready', { credentials: 'omit', signal: AbortSignal.timeout(READY_WITHIN_MS) })
  if (response.ok) return ''
  const { code, message } = new ServiceProblem(problemOf(response, await response.text()))
  if (code === 'no_problem') throw new Error(message)
  return message
}

/**
 * @param {Response} response
 * @param {string} text
 * @returns {Problem}
 */
function problemOf(response, text) {
  if (response.headers.get('content-type')?.startsWith('application/problem+json')) return JSON.parse(text)
  // Something between this page and the service has answered.
  const { status } = response
  return { type: '', code: 'no_problem', title: `Status ${status}`, detail: text.slice(0, 200), status, request_id: '' }
}
