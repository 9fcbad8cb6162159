import { fileURLToPath } from 'node:url'
import { errorMessage } from '../../base/errors.ts'
import { checkedPieces } from '../fetch/local-file.ts'
import { processLimits } from '../limits.ts'
import { type Document, DocumentError, type IngestSource, type Item, type Source } from '../source.ts'
import {
  notStarted,
  type ParserAnswer,
  ParserKilled,
  ParserWorker,
  type ProcessLimits,
  type Request,
  type ResourceUsage,
} from './worker.ts'

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
