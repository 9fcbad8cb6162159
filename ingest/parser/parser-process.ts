import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { errorMessage } from '../../base/errors.ts'
import { checkedPieces } from '../fetch/local-file.ts'
import { processLimits } from '../limits.ts'
import {
  type Document,
  DocumentError,
  type IngestSource,
  type Item,
  ParserUnavailable,
  type Source,
} from '../source.ts'

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))

type ParserOptions = {
  /** The program of the process, for tests. */
  readonly main?: string
  readonly limits?: ProcessLimits
  /** Called with the number of bytes of a large document that were handed to the process so far. */
  readonly onRead?: ReadProgress
}
type ReadProgress = (document: Document, bytes: number) => void

/**
 * Parses documents one at a time in a process of its own, so that no document can exhaust the memory or time of the
 * service. The process is started for the first document, reused, and replaced after it died or used much memory or
 * CPU time. It guards against hostile documents, not against hostile code.
 */
export class ParserProcess {
  #worker: ParserWorker | undefined
  /** Tail of the queue of documents. */
  #last: Promise<void> = Promise.resolve()
  #idle: NodeJS.Timeout | undefined
  readonly #main: string
  readonly #limits: ProcessLimits
  readonly #onRead: ReadProgress

  constructor({ main = MAIN, limits = processLimits, onRead = () => undefined }: ParserOptions = {}) {
    this.#main = main
    this.#limits = limits
    this.#onRead = onRead
  }

  /**
   * Yields the items of a document in batches, in the parser's order; `source` is a name of `openSource`. Throws the parser's
   * `DocumentError`, or `out_of_memory`, `too_slow` or `parser_failed`. Throws `ParserUnavailable` if no process could
   * be started, and the reason of `signal` when it aborts.
   */
  async *parse(
    source: string,
    document: Document,
    signal?: AbortSignal,
    onStructure?: (names: readonly string[]) => void,
  ): AsyncGenerator<readonly Item[]> {
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
          for await (const items of this.#batches(source, document, signal, onStructure)) {
            // Parsers are pure, so a second attempt gives the same items in the same order.
            const news = items.slice(Math.max(0, given - read))
            read += items.length
            given += news.length
            if (news.length > 0) yield news
          }
          return
        } catch (error) {
          if (isLastAttempt || !(error instanceof ParserKilled)) throw error
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

  /** Makes one attempt to parse a document. Its time limit counts only the waits for answers, not the caller's work. */
  async *#batches(
    source: string,
    document: Document,
    signal: AbortSignal | undefined,
    onStructure: ((names: readonly string[]) => void) | undefined,
  ): AsyncGenerator<readonly Item[]> {
    const { bytes, file, ...rest } = document
    const worker = this.#take()
    let leftMs: number = this.#limits.waitMs
    const ask = async (request: Request, more?: AsyncIterable<Uint8Array> | Uint8Array): Promise<ParserAnswer> => {
      const since = performance.now()
      const answer = await worker.ask(request, more, leftMs, signal)
      leftMs -= performance.now() - since
      return answer
    }
    let isWhole = false
    try {
      const size = file?.size ?? bytes.length
      const content = file ? this.#counted(document, checkedPieces(file, document.sha256)) : bytes
      let answer = await ask({ kind: 'parse', source, document: rest, size, inPieces: file !== undefined }, content)
      while (answer.kind === 'items' || answer.kind === 'structure') {
        if (answer.kind === 'items') yield answer.items
        else onStructure?.(answer.names)
        answer = await ask({ kind: 'next' })
      }
      if (answer.kind === 'refused') {
        // A process that ran out of memory is not reused for the next document.
        isWhole = answer.reason !== 'out_of_memory' && !file
        throw new DocumentError(answer.reason, answer.detail, answer.location)
      }
      if (answer.kind === 'failed')
        throw new DocumentError(
          'parser_failed',
          `The parser failed, which is a fault of Almanac's own: ${answer.detail}`,
        )
      isWhole = !isUsedUp(answer.usage, this.#limits) && !file
    } finally {
      if (!isWhole) this.#drop(worker)
    }
  }

  async *#counted(document: Document, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let bytes = 0
    for await (const piece of pieces) {
      yield piece
      bytes += piece.length
      this.#onRead(document, bytes)
    }
  }

  /** Id of the process; undefined while none runs. */
  get pid(): number | undefined {
    return this.#worker?.pid
  }

  /** Ends the process. A document that is being parsed fails with `parser_failed`. */
  close(): void {
    clearTimeout(this.#idle)
    if (this.#worker) this.#drop(this.#worker)
  }

  #take(): ParserWorker {
    clearTimeout(this.#idle)
    if (this.#worker?.isAlive) return this.#worker
    this.#worker = undefined
    try {
      this.#worker = new ParserWorker(this.#main, this.#limits)
    } catch (error) {
      // Cast: `spawn` throws only Errors.
      throw notStarted(errorMessage(error), error)
    }
    return this.#worker
  }

  #drop(worker: ParserWorker): void {
    worker.kill()
    if (this.#worker === worker) this.#worker = undefined
  }
}

/** Returns the same source with its documents parsed by `parser`. */
export const parsedBy = (name: string, source: Source, parser: Pick<ParserProcess, 'parse'>): IngestSource => ({
  ...source,
  parse: (document, signal, onStructure) => parser.parse(name, document, signal, onStructure),
})

/** As `parsedBy`, of sources by their names. */
export const parsedApart = (
  sources: Readonly<Record<string, Source>>,
  parser: Pick<ParserProcess, 'parse'>,
): Readonly<Record<string, IngestSource>> =>
  Object.fromEntries(Object.entries(sources).map(([name, source]) => [name, parsedBy(name, source, parser)]))

const isUsedUp = ({ cpuMs, residentBytes }: ResourceUsage, limits: ProcessLimits): boolean =>
  cpuMs > limits.replaceAfterCpuMs || residentBytes > limits.replaceAboveBytes

// IPC messages between the service and its parser process. The document's bytes go over standard input.

/** `parse` begins a document and drops the previous one. `next` asks for the next batch of its items. */
export type Request =
  | {
      readonly kind: 'parse'
      /** Name of `openSource`. */
      readonly source: string
      readonly document: Omit<Document, 'bytes' | 'file'>
      /** Number of bytes that follow on standard input. */
      readonly size: number
      /** Whether to read them in pieces. The process reads no other document after such a one. */
      readonly inPieces: boolean
    }
  | { readonly kind: 'next' }

export type ParserAnswer =
  /** Comes first, for a document that was fetched. */
  | { readonly kind: 'structure'; readonly names: readonly string[] }
  | { readonly kind: 'items'; readonly items: readonly Item[] }
  | { readonly kind: 'end'; readonly usage: ResourceUsage }
  /** The document can't be read: the `DocumentError`, its texts cut to size. */
  | { readonly kind: 'refused'; readonly reason: string; readonly detail: string; readonly location: string }
  /** The parser itself failed. */
  | { readonly kind: 'failed'; readonly detail: string }

/** Resources that the process has used since its start. */
type ResourceUsage = { readonly cpuMs: number; readonly residentBytes: number }

export type ProcessLimits = { readonly [name in keyof typeof processLimits]: number }

/**
 * Shell script that sets the operating system's limits and then executes Node. `-d` limits all writable memory, so
 * buffers as well as the heap. A limit that can't be set is lower already. The script also turns core dumps off, makes
 * the process the kernel's first choice when memory runs out, and lowers its priority if the machine has `nice`.
 */
const scriptOf = ({ memoryMib, cpuSeconds }: ProcessLimits): string => `
ulimit -c 0 2>/dev/null
ulimit -d ${memoryMib * 1_024} 2>/dev/null
ulimit -S -t ${cpuSeconds} 2>/dev/null
{ echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null
command -v nice >/dev/null && exec nice -n 10 "$@"
exec "$@"
`

const STDERR_CHARS = 8_192

/** The process was killed from outside, as the kernel does when memory runs out. The document may not be the cause. */
class ParserKilled extends DocumentError {}

/** Exit codes of a shell that could not execute the program. */
const notExecuted: ReadonlySet<number | null> = new Set([126, 127])

/** One parser process, which takes one request at a time. */
class ParserWorker {
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
      // A process group of its own, because Ctrl-C should reach the service, which then ends its parser.
      detached: true,
      stdio: ['pipe', 'ignore', 'pipe', 'ipc'],
      // Passes on none of the service's keys and passwords, and no Node options meant for the service.
      env: { PATH: process.env.PATH, TZ: 'UTC' },
    })
    this.#child = child
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_CHARS)
    })
    // The process died while it was written to. `#ended` says why, so the write error adds nothing.
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
   * Sends one request and returns its answer. After `content` in pieces no other document can be sent. Throws what the pieces
   * throw, `DocumentError` if the process ends or doesn't answer within `waitMs`, and `ParserUnavailable` if it never started.
   */
  async ask(
    request: Request,
    content: AsyncIterable<Uint8Array> | Uint8Array | undefined,
    waitMs: number,
    signal: AbortSignal | undefined,
  ): Promise<ParserAnswer> {
    const settled = new AbortController()
    const late = AbortSignal.timeout(Math.max(0, Math.ceil(waitMs)))
    const stop = signal ? AbortSignal.any([signal, late, settled.signal]) : AbortSignal.any([late, settled.signal])
    try {
      // Cast: IPC messages are untyped; the parser process sends nothing but ParserAnswer.
      const answered = once(this.#child, 'message', { signal: stop }).then(([answer]) => answer as ParserAnswer)
      // If `#ended` wins the race below, aborting `settled` rejects this promise, and no caller is left to handle that.
      answered.catch(() => undefined)
      if (this.#child.connected) this.#child.send(request, () => undefined)
      if (content instanceof Uint8Array) this.#child.stdin?.write(content)
      const sent = content && !(content instanceof Uint8Array) ? this.#stream(content, stop) : undefined
      const outcome = await Promise.race([answered, this.#ended, ...(sent ? [sent.then(() => answered)] : [])])
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

  async #stream(pieces: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
    const { stdin } = this.#child
    if (!stdin) return
    try {
      await pipeline(pieces, stdin, { signal })
    } catch (error) {
      // The process has ended or has answered before it read everything. Otherwise the pieces are at fault.
      if (error instanceof DocumentError) throw error
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
    const Fault = signal === 'SIGKILL' && !isEndedByUs ? ParserKilled : DocumentError
    return new Fault('parser_failed', `The parser ended with ${what}.`)
  }
}

const notStarted = (why: string, cause?: unknown) =>
  new ParserUnavailable(`The parser could not be started: ${why}.`, { cause })

const tooSlow = (detail: string) => new DocumentError('too_slow', `The document takes too long: ${detail}.`)
