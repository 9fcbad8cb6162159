import { adviceFor } from './advice.ts'
import type { CursorStore } from './cursor-store.ts'
import { convertDecimals, type DecimalConverter } from './decimal.ts'
import type { Message } from './frames.ts'
import { operations } from './generated/operations.ts'
import type {
  CommodityPrice,
  Event,
  FxPrice,
  Operations,
  Prediction,
  Schemas,
  StreamName,
  SubscribeEvents,
  SubscribePredictions,
  SubscribePrices,
  Vintage,
} from './generated/schema.ts'
import { type OperationAnswer, type OperationArgs, type OperationId, RestCalls, type RestMethods } from './rest.ts'
import { type SocketOpener, standardSockets } from './socket.ts'
import { ResumingStream } from './stream.ts'
import { isStreamUrl, type StreamTuning } from './stream-source.ts'

const DEFAULT_URL = 'http://127.0.0.1:8080'
const DEFAULT_STREAMS_URL = 'ws://127.0.0.1:8081'
const LOOPBACK = /^https?:\/\/(localhost|127(\.\d+){3}|\[::1\])(:\d+)?(\/|$)/i

export type AlmanacOptions<D = string> = {
  /** The API key. A web page must not hold one, and gives `ticket` instead. */
  readonly key?: string
  /** Never: the key is `key`. Without this line a variable that has `apiKey` and another option would compile. */
  readonly apiKey?: never
  /** Address of the service: http://127.0.0.1:8080 unless given. */
  readonly url?: string
  /** Address of the streams: ws://127.0.0.1:8081 unless given. Without `ticket` it must be given if `url` is not loopback. */
  readonly streamsUrl?: string
  /**
   * Requests a ticket from the page's own server. Returns the `url` of the ticket. Called for each connection. What it throws
   * is tried again, except a `RestError` with a status such as 401 or 403.
   */
  readonly ticket?: (stream: StreamName) => Promise<string>
  /** Makes numbers of decimals. Without it they stay the texts that were published. */
  readonly decimal?: DecimalConverter<D>
  /** Times that a REST call is repeated when the service says so: 2 unless given. */
  readonly retries?: number
  readonly fetch?: typeof fetch
  /** Opens WebSockets. Node: `ws` if it is installed. */
  readonly sockets?: () => Promise<SocketOpener>
}

type Filters<Subscribe> = Omit<Subscribe, 'action' | 'cursor' | 'start'>
export type EventsOptions = Filters<SubscribeEvents> &
  StreamTuning & {
    /** Where to begin if the store has no cursor: a cursor, `earliest` or `latest`. Left out: live from now. */
    readonly cursor?: string
    /**
     * Where to begin if the store has no cursor: a sequence, or a time such as 2026-09-01T08:00:00Z or 2026-09-01, which means
     * the first event recorded at or after it. Not together with `cursor`.
     */
    readonly start?: string | number
    /** Where the cursor is kept. Left out: nowhere. */
    readonly store?: CursorStore
    /** What to do when the place is lost, for example because the events have expired: fail unless given. */
    readonly onLostPlace?: 'fail' | 'resume'
    readonly onMoved?: (code: string, cursor: string) => void
  }

export type PricesOptions = Filters<SubscribePrices> & StreamTuning

/** Which periods of a history or of the vintages. `frequency` chooses where an indicator is published in several. */
type Periods = {
  readonly start?: string
  readonly end?: string
  readonly frequency?: 'M' | 'Q' | 'A'
}

/** The operations whose answers are pages. */
type PagedId = {
  [Id in OperationId]: Operations[Id]['answer'] extends { readonly next_cursor: string | null } ? Id : never
}[OperationId]

/** Histories keep `start` on later pages: it bounds their periods. That of events is a place to begin, as a cursor is. */
const refusesStartBesideCursor = (id: OperationId) => id === 'events_list'

const optionNames = Object.keys({
  key: 1,
  url: 1,
  streamsUrl: 1,
  ticket: 1,
  decimal: 1,
  retries: 1,
  fetch: 1,
  sockets: 1,
} satisfies Record<Exclude<keyof AlmanacOptions, 'apiKey'>, 1>)
const tuningNames = ['bufferItems', 'bufferBytes', 'batchItems', 'backoff', 'maxAttempts', 'onStep'] as const
const placeNames = ['cursor', 'start', 'store', 'onLostPlace', 'onMoved'] as const

/** A client of the service: REST by `rest`, histories by `observations`, and the three streams. */
export class AlmanacClient<D = string> {
  /** Every operation of the service, by its id. */
  readonly rest: RestMethods<D>
  readonly #calls: RestCalls<D>
  readonly #options: AlmanacOptions<D>

  constructor(options: AlmanacOptions<D> = {}) {
    const unknown = Object.keys(options).find((name) => !optionNames.includes(name))
    // A program without types would send no key, and hear only that it is missing.
    if (unknown !== undefined)
      throw new TypeError(`Almanac has no option "${unknown}". ${adviceFor(unknown, optionNames)}`)
    const { key, url = DEFAULT_URL, decimal, retries = 2, fetch: send = (...args) => fetch(...args) } = options
    this.#options = options
    this.#calls = new RestCalls({ baseUrl: url.replace(/\/$/, ''), key, fetch: send, decimal, retries })
    this.rest = this.#calls.methods
  }

  /** The answer of an operation as CSV, if it has such a form. */
  csv<Id extends OperationId>(id: Id, args: OperationArgs<Id>): Promise<string> {
    return this.#calls.csv(id, args)
  }

  /** Page after page of an operation that is read page by page, until the last. */
  async *pages<Id extends PagedId>(
    id: Id,
    args: OperationArgs<Id>,
  ): AsyncGenerator<OperationAnswer<Id, D>, void, undefined> {
    // A cast: the type of an operation's arguments is not known here, and those with a `start` have it under this name.
    const { start: _, ...withoutStart } = (args ?? {}) as { readonly start?: unknown }
    const later = refusesStartBesideCursor(id) ? withoutStart : args
    let cursor: string | null | undefined
    do {
      // Casts: `PagedId` says that the arguments have a cursor, and the answers the next one.
      const page = await this.#calls.call(id, (cursor ? { ...later, cursor } : args) as OperationArgs<Id>)
      yield page
      const { next_cursor, has_more = true } = page as { next_cursor: string | null; has_more?: boolean }
      cursor = has_more ? next_cursor : null
    } while (cursor)
  }

  /**
   * The history of an indicator, oldest first. `indicator` is the end of its address, e.g. `cpi` or `trade/exports`; `exports`
   * means the latter. `as_of` is a day: the history as it was known then.
   */
  async *observations<Of extends HistoryIndicator>(
    country: string,
    indicator: Of,
    range: Periods & { readonly as_of?: string } = {},
  ): AsyncGenerator<HistoryEntry<Of, D>, void, undefined> {
    const id = listOf('observations', indicator)
    for await (const page of this.pages(id, { country, limit: 1_000, ...range })) {
      // A cast: `id` is the operation of this indicator, and no other's.
      yield* page.observations as readonly HistoryEntry<Of, D>[]
    }
  }

  /**
   * What was answered for the periods of an indicator over time: first prints and revisions. `indicator` as for `observations`.
   * `period` asks for one period, without `start`, `end` and `frequency`.
   */
  async *vintages(
    country: string,
    indicator: HistoryIndicator,
    range: Periods & { readonly period?: string } = {},
  ): AsyncGenerator<Vintage<D>, void, undefined> {
    const id = listOf('vintages', indicator)
    for await (const page of this.pages(id, { country, limit: 1_000, ...range })) yield* page.vintages
  }

  /** The events from a cursor or a time on, or from now. */
  events(options: EventsOptions = {}): ResumingStream<Event> {
    if (options.start !== undefined && options.cursor !== undefined)
      throw new TypeError('Give either start or cursor: a cursor already says where to begin.')
    return this.#stream('events', options, ({ event }) => this.#decimals<Event>(event, 'Event'))
  }

  /** The current price of each pair, then its changes. Throws if no pair is given. */
  prices(options: PricesOptions): ResumingStream<CommodityPrice<D> | FxPrice<D>> {
    const { commodities = [], fx = [] } = options
    // The service would accept the subscription, and never send a price.
    if (commodities.length + fx.length === 0)
      throw new TypeError(
        "Give `commodities` or `fx`, for example commodities: [{ commodity: 'XAU', currency: 'EUR' }], or fx: [{ base: 'EUR' }].",
      )
    return this.#stream<CommodityPrice<D> | FxPrice<D>>(
      'prices',
      options,
      (message) => this.#decimals(message, message.type === 'fx' ? 'FxPrice' : 'CommodityPrice'),
      (price) => (price.type === 'fx' ? `${price.base}/${price.rate.currency}` : price.spot.symbol),
    )
  }

  /** The current prediction of each match, then its changes. */
  predictions(options: Filters<SubscribePredictions> & StreamTuning = {}): ResumingStream<Prediction<D>> {
    return this.#stream<Prediction<D>>(
      'predictions',
      options,
      ({ prediction }) => this.#decimals(prediction, 'Prediction'),
      ({ country, indicator }) => `${country}/${indicator}`,
    )
  }

  #stream<T>(
    name: StreamName,
    options: object,
    itemOf: (message: Message) => T,
    keyOf?: (item: T) => string,
  ): ResumingStream<T> {
    const { key, ticket, sockets = async () => standardSockets, streamsUrl = DEFAULT_STREAMS_URL } = this.#options
    const { url: restUrl = DEFAULT_URL } = this.#options
    const url = `${streamsUrl.replace(/\/$/, '')}/v1/${name}/stream`
    // Connecting would be tried for ever, as to a service that is away.
    if (!ticket && this.#options.streamsUrl === undefined && !LOOPBACK.test(restUrl))
      throw new TypeError(
        `Give \`streamsUrl\`, for example 'wss://streams.example': the streams of ${restUrl} are not at ${DEFAULT_STREAMS_URL}.`,
      )
    if (!ticket && !isStreamUrl(url)) throw new TypeError(`streamsUrl must begin with ws:// or wss://: ${streamsUrl}`)
    const [known, subscribe] = split(options)
    return new ResumingStream({
      ...known,
      subscribe,
      itemOf,
      keyOf,
      sockets,
      usesTickets: ticket !== undefined,
      address: async () =>
        ticket
          ? { url: await ticket(name), headers: {} }
          : { url, headers: key === undefined ? {} : { authorization: `Bearer ${key}` } },
    })
  }

  #decimals<T>(value: unknown, schema: string): T {
    const { decimal } = this.#options
    // A cast: the service sends what it describes, and the types are made from that description.
    return (decimal ? convertDecimals(value, schema, decimal) : value) as T
  }
}

/** The data of an event if it has this schema; undefined if it has another. `D`: as the client converts decimals. */
export const dataOf = <Name extends keyof Schemas, D = string>(
  { dataschema, data }: Pick<Event, 'dataschema' | 'data'>,
  name: Name,
): Schemas<D>[Name] | undefined =>
  // A cast: `dataschema` names the type.
  dataschema === `urn:almanac:schema:${name}` ? (data as Schemas<D>[Name]) : undefined

/** The two lists of an indicator, each the last part of its address and the member that has its entries. */
type ListName = 'observations' | 'vintages'

type ListId<Name extends ListName> = {
  [Id in OperationId]: Operations[Id]['answer'] extends Readonly<Record<Name, readonly unknown[]>> ? Id : never
}[OperationId]

type AddressIn<Path> = Path extends `/v1/economics/{country}/${infer Address}/observations` ? Address : never
type LastPart<Address> = Address extends `${string}/${infer Last}` ? Last : never
type EndOf<Address> = Address | LastPart<Address>
type HistoryAddress = AddressIn<(typeof operations)[OperationId][1]>

/** An indicator with a history: the end of its address, whole or only its last part. */
export type HistoryIndicator = EndOf<HistoryAddress>

/** An entry of the history of an indicator. That of exports says less than the others. */
export type HistoryEntry<Of extends HistoryIndicator, D = string> = {
  [Id in ListId<'observations'>]: Of extends EndOf<AddressIn<(typeof operations)[Id][1]>>
    ? Operations<D>[Id]['answer']['observations'][number]
    : never
}[ListId<'observations'>]

const LIST_PATH = /^\/v1\/economics\/\{country\}\/(.+)\/(\w+)$/

/** The operation that serves a list of an indicator. Throws where a program without types names none. */
function listOf<Name extends ListName>(name: Name, indicator: HistoryIndicator): ListId<Name> {
  const histories = Object.entries(operations).flatMap(([id, [, path]]) => {
    const [, address, list] = LIST_PATH.exec(path) ?? []
    return address === undefined || list !== name ? [] : [{ id, address }]
  })
  const found = histories.find(({ address }) => address === indicator || address.endsWith(`/${indicator}`))
  // A cast: the path of such a list has this form, and no other.
  if (found) return found.id as ListId<Name>
  const addresses = histories.map(({ address }) => address)
  throw new TypeError(`"${indicator}" has no history. ${adviceFor(indicator, addresses)}`)
}

/** The options of the stream itself, and the members of its subscribe message. */
function split(
  options: object,
): [StreamTuning & Pick<EventsOptions, (typeof placeNames)[number]>, Record<string, unknown>] {
  const names: readonly string[] = [...tuningNames, ...placeNames]
  const entries = Object.entries(options).filter(([, value]) => value !== undefined)
  const part = (isWanted: (name: string) => boolean) => Object.fromEntries(entries.filter(([name]) => isWanted(name)))
  return [part((name) => names.includes(name)), part((name) => !names.includes(name))]
}
