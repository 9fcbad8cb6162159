import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { processLimits } from '../limits.ts'
import {
  type Document,
  DocumentError,
  type IngestSource,
  type Item,
  ParserUnavailable,
  type Source,
} from '../source.ts'
import type { ParserAnswer, Request, ResourceUsage } from './messages.ts'

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))

/**
 * Sets the limits of the operating system, then becomes Node. `-d` counts all writable memory, so buffers as well as the
 * heap; a limit that can't be set is already lower. Without core dumps; the first to go where the machine has no memory
 * left; and behind the service in the queue for the processor, where the machine has `nice`.
 */
const scriptOf = ({ memoryMib, cpuSeconds }: ProcessLimits): string => `
ulimit -c 0 2>/dev/null
ulimit -d ${memoryMib * 1_024} 2>/dev/null
ulimit -S -t ${cpuSeconds} 2>/dev/null
{ echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null
command -v nice >/dev/null && exec nice -n 10 "$@"
exec "$@"
`

export type ProcessLimits = { readonly [name in keyof typeof processLimits]: number }
type ParserOptions = {
  /** The program of the process, for tests. */
  readonly main?: string
  readonly limits?: ProcessLimits
}

const STDERR_CHARS = 8_192

/**
 * Parses documents in a process of its own, one at a time, so that no document can take the memory or the time of whoever
 * asks. The process is started for the first document, used again, and replaced after it died or has used much. Made
 * for trusted code and hostile documents.
 */
export class ParserProcess {
  #worker: Worker | undefined
  /** The end of the queue of documents. */
  #last: Promise<void> = Promise.resolve()
  #idle: NodeJS.Timeout | undefined
  readonly #main: string
  readonly #limits: ProcessLimits

  constructor({ main = MAIN, limits = processLimits }: ParserOptions = {}) {
    this.#main = main
    this.#limits = limits
  }

  /**
   * The items of a document, in the parser's order; `source` is a key of `openSources`. Throws `DocumentError`: what the
   * parser throws; `out_of_memory`, `too_slow`, `parser_failed`. Throws `ParserUnavailable` if no process could be started.
   * When `signal` aborts, its reason is thrown.
   */
  async *parse(source: string, document: Document, signal?: AbortSignal): AsyncGenerator<Item> {
    const ahead = this.#last
    const turn = Promise.withResolvers<void>()
    this.#last = turn.promise
    try {
      await ahead
      signal?.throwIfAborted()
      let given = 0
      for (const isLastAttempt of [false, true]) {
        let read = 0
        try {
          for await (const items of this.#batches(source, document, signal)) {
            // A second reading gives the same items in the same order: parsers are pure.
            const news = items.slice(Math.max(0, given - read))
            read += items.length
            given += news.length
            yield* news
          }
          return
        } catch (error) {
          if (isLastAttempt || !(error instanceof Killed)) throw error
        }
      }
    } finally {
      clearTimeout(this.#idle)
      if (this.#worker) {
        this.#idle = setTimeout(() => this.#worker && this.#drop(this.#worker), this.#limits.idleMs)
        this.#idle.unref()
      }
      turn.resolve()
    }
  }

  /** One attempt to read a document. Only the time spent waiting for answers counts, not what the caller does in between. */
  async *#batches(
    source: string,
    { bytes, ...rest }: Document,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<readonly Item[]> {
    const worker = this.#take()
    let leftMs: number = this.#limits.waitMs
    const ask = async (request: Request, more?: Uint8Array): Promise<ParserAnswer> => {
      const since = performance.now()
      const answer = await worker.ask(request, more, leftMs, signal)
      leftMs -= performance.now() - since
      return answer
    }
    let isWhole = false
    try {
      let answer = await ask({ kind: 'parse', source, document: rest, size: bytes.length }, bytes)
      while (answer.kind === 'items') {
        yield answer.items
        answer = await ask({ kind: 'next' })
      }
      if (answer.kind === 'refused') {
        // Refused for want of memory: what it holds is no ground for the next document.
        isWhole = answer.reason !== 'out_of_memory'
        throw new DocumentError(answer.reason, answer.detail, answer.location)
      }
      if (answer.kind === 'failed')
        throw new DocumentError(
          'parser_failed',
          `The parser failed, which is a fault of Almanac's own: ${answer.detail}`,
        )
      isWhole = !isUsedUp(answer.usage, this.#limits)
    } finally {
      if (!isWhole) this.#drop(worker)
    }
  }

  /** Process id while there is one. */
  get pid(): number | undefined {
    return this.#worker?.pid
  }

  /** Ends the process; a document that is being parsed ends with `parser_failed`. */
  close(): void {
    clearTimeout(this.#idle)
    if (this.#worker) this.#drop(this.#worker)
  }

  #take(): Worker {
    clearTimeout(this.#idle)
    if (this.#worker?.isAlive) return this.#worker
    this.#worker = undefined
    try {
      this.#worker = new Worker(this.#main, this.#limits)
    } catch (error) {
      throw notStarted((error as Error).message, error)
    }
    return this.#worker
  }

  #drop(worker: Worker): void {
    worker.kill()
    if (this.#worker === worker) this.#worker = undefined
  }
}

/** The same sources, whose documents are parsed by `parser`. */
export const parsedApart = (
  sources: Readonly<Record<string, Source>>,
  parser: Pick<ParserProcess, 'parse'>,
): Readonly<Record<string, IngestSource>> =>
  Object.fromEntries(
    Object.entries(sources).map(([key, source]): [string, IngestSource] => [
      key,
      { ...source, parse: (document, signal) => parser.parse(key, document, signal) },
    ]),
  )

const isUsedUp = ({ cpuMs, residentBytes }: ResourceUsage, limits: ProcessLimits): boolean =>
  cpuMs > limits.replaceAfterCpuMs || residentBytes > limits.replaceAboveBytes

/** The process was ended from outside, as the kernel does where the machine has no memory left: perhaps not by its document. */
class Killed extends DocumentError {}

/** Exit codes of a shell that could not execute the program. */
const notExecuted: ReadonlySet<number | null> = new Set([126, 127])

/** One process, to which one request at a time is made. */
class Worker {
  readonly #child: ChildProcess
  readonly #limits: ProcessLimits
  readonly #ended: Promise<DocumentError | ParserUnavailable>
  #stderr = ''
  #isAlive = true
  #hasAnswered = false

  constructor(main: string, limits: ProcessLimits) {
    this.#limits = limits
    const node = [
      process.execPath,
      `--max-old-space-size=${limits.heapMib}`,
      '--disable-warning=ExperimentalWarning',
      main,
    ]
    const child = spawn('/bin/sh', ['-c', scriptOf(limits), 'sh', ...node], {
      // A group of its own: Ctrl-C is for the service, which then ends its parser.
      detached: true,
      stdio: ['pipe', 'ignore', 'pipe', 'ipc'],
      // No keys and passwords of the service, and no options that were meant for it.
      env: { PATH: process.env.PATH, TZ: 'UTC' },
    })
    this.#child = child
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_CHARS)
    })
    // A process that died while it was written to; `#ended` says why.
    child.stdin?.on('error', () => undefined)
    this.#ended = new Promise((resolve) => {
      child.on('error', (error) => {
        this.#isAlive = false
        resolve(notStarted(error.message, error))
      })
      child.once('close', (code, signal) => resolve(this.#endedBy(code, signal)))
    })
  }

  get isAlive(): boolean {
    return this.#isAlive
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /**
   * One request and its answer. Throws `DocumentError` if the process ends or doesn't answer within `waitMs`, and
   * `ParserUnavailable` if it never began.
   */
  async ask(
    request: Request,
    bytes: Uint8Array | undefined,
    waitMs: number,
    signal: AbortSignal | undefined,
  ): Promise<ParserAnswer> {
    const settled = new AbortController()
    const late = AbortSignal.timeout(Math.max(0, Math.ceil(waitMs)))
    const stop = signal ? AbortSignal.any([signal, late, settled.signal]) : AbortSignal.any([late, settled.signal])
    try {
      const answered = once(this.#child, 'message', { signal: stop }).then(([answer]) => answer as ParserAnswer)
      // Whoever loses the race below is told nothing.
      answered.catch(() => undefined)
      if (this.#child.connected) this.#child.send(request, () => undefined)
      if (bytes) this.#child.stdin?.write(bytes)
      const outcome = await Promise.race([answered, this.#ended])
      if (outcome instanceof Error) throw outcome
      this.#hasAnswered = true
      return outcome
    } catch (error) {
      signal?.throwIfAborted()
      if (late.aborted) throw tooSlow(`it was not read within ${this.#limits.waitMs / 1_000} s`)
      throw error
    } finally {
      settled.abort()
    }
  }

  kill(): void {
    this.#isAlive = false
    this.#child.kill('SIGKILL')
  }

  #endedBy(code: number | null, signal: NodeJS.Signals | null): DocumentError | ParserUnavailable {
    const isEndedByUs = !this.#isAlive
    this.#isAlive = false
    if (signal === 'SIGXCPU')
      return tooSlow(`reading it takes more than ${this.#limits.cpuSeconds / 2} s of processor time`)
    const last = this.#stderr.trim().split('\n').at(-1) ?? ''
    const what = `${signal ?? `exit code ${code}`}${last === '' ? '' : `: ${last}`}`
    if (!this.#hasAnswered && notExecuted.has(code)) return notStarted(what)
    if (/out of memory|allocation failed|bad_alloc/i.test(this.#stderr)) {
      const detail = `Reading it takes more than ${this.#limits.heapMib} MiB of memory.`
      return new DocumentError('out_of_memory', detail)
    }
    const Fault = signal === 'SIGKILL' && !isEndedByUs ? Killed : DocumentError
    return new Fault('parser_failed', `The parser ended with ${what}.`)
  }
}

const notStarted = (why: string, cause?: unknown) =>
  new ParserUnavailable(`The parser could not be started: ${why}.`, { cause })

const tooSlow = (detail: string) => new DocumentError('too_slow', `The document takes too long: ${detail}.`)
