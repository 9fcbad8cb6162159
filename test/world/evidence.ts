/** What a run leaves behind for the judges. Nothing in it was made by the code that is judged, but for the bytes of records. */

/** A record as it was written, whatever compaction and retention removed later. */
export type WrittenRecord = {
  readonly topic: string
  readonly partition: number
  readonly offset: number
  /** UTC ms. */
  readonly timestamp: number
  readonly headers: Readonly<Record<string, string>>
  /** Decoded by the published schema of the topic. */
  readonly value: Readonly<Record<string, unknown>>
  /** Simulated ms since the start. */
  readonly writtenAt: number
}

/** The statement of a publisher that a figure was `value` on the day `on`; null: that it had none, or had taken it back. */
export type StatedFigure = {
  readonly series: string
  readonly period: string
  readonly on: string
  readonly value: string | null
}

export type StatedPrice = { readonly symbol: string; readonly observedAt: string; readonly price: string }

export type StatedDocument = {
  readonly sha256: string
  readonly figures: readonly StatedFigure[]
  readonly prices: readonly StatedPrice[]
  /** Locations of rows that cannot be read. */
  readonly faults: readonly string[]
  /** True once a node has answered that the document is accepted. */
  isAcknowledged: boolean
}

export type ReceivedEvent = {
  readonly sequence: number
  readonly id: string
  readonly type: string
  readonly family: string
  readonly country: string | null
  readonly subject: string
  readonly data: unknown
  readonly receivedAt: number
}

/**
 * What a client received from one place on. `cursor`: its last cursor, which must be honoured. `expired`: the server said that the
 * cursor is no longer kept, and the client went on with the one that it was given.
 */
export type StreamSpan = {
  readonly from: 'earliest' | 'latest' | 'cursor' | 'expired'
  /** When the client asked. */
  readonly askedAt: number
  /** When the server confirmed the subscription; undefined if the connection ended before. */
  confirmedAt: number | undefined
  readonly events: ReceivedEvent[]
}

export type StreamHistory = {
  readonly client: string
  readonly countries: readonly string[] | null
  readonly types: readonly string[] | null
  readonly spans: readonly StreamSpan[]
}

/** A row of a read model, the run of the projector that sent it, when it was stored, and when that run had looked what was there. */
export type StoredRow = {
  readonly row: Readonly<Record<string, unknown>>
  readonly run: string
  readonly storedAt: number
  readonly lookedAt: number
}

/** `day` is that of an address `/asof/{day}`, and `asOf` the parameter `as_of`. */
export type RestQuestion = {
  readonly operation: 'newest' | 'observations' | 'vintages'
  readonly country: string
  readonly indicator: 'cpi' | 'inflation'
  readonly period?: string
  readonly asOf?: string
  readonly day?: string
}

/** An answer, of a history all its pages. Times are those at which the client asked, and had the first page. */
export type RestAnswer = {
  readonly question: RestQuestion
  /** The process that gave the first page. */
  readonly process: string
  readonly askedAt: number
  readonly answeredAt: number
  readonly status: number
  /** That of the problem. */
  readonly code: string | null
  /** The body of the newest figures, or the entries of a history. */
  readonly entries: readonly Readonly<Record<string, unknown>>[]
}

export type Evidence = {
  /** In the order in which they were written. */
  readonly records: readonly WrittenRecord[]
  readonly documents: readonly StatedDocument[]
  readonly streams: readonly StreamHistory[]
  /** What REST answered while there were faults, in the order of the answers. */
  readonly answers: readonly RestAnswer[]
  /** What was asked once all was quiet; undefined if it was not answered. */
  readonly finalAnswers: readonly { readonly question: RestQuestion; readonly answer: RestAnswer | undefined }[]
  readonly tables: Readonly<Record<string, readonly StoredRow[]>>
  /** Starts of the log of events, in order of time. */
  readonly eventStarts: readonly { readonly at: number; readonly start: number }[]
  /** Failures that end a process and that no fault explains, and messages that no client may get. */
  readonly failures: readonly string[]
}
