import { pause } from '../../base/async/pause.ts'
import { systemTime, type Time } from '../../base/time.ts'
import { FEED } from '../../contracts/instruments.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import { keysIn, maskBytes, maskText } from '../mask.ts'
import { type Backoff, backoffMs } from './backoff.ts'
import { type FeedEnding, receive } from './connection.ts'
import { parseMessage } from './message.ts'
import { ownWriter } from './own-writer.ts'
import type { TickWriter, TickWriterOptions, WriterEvent, WriterTally } from './tick-writer.ts'

export type FeedEvent =
  | WriterEvent
  | { readonly type: 'connected'; readonly url: string }
  /** `tally` counts since this process took the feed over. */
  | ({ readonly type: 'disconnected'; readonly retryInMs: number; readonly tally: WriterTally } & FeedEnding)

export type FeedOptions = {
  /** Address with the scheme ws: or wss:. */
  readonly url: string
  /** Sent as `Authorization: Bearer`. */
  readonly token?: string
  /** Text sent after each connect. */
  readonly subscribe?: string
  readonly journal: TypedJournal
  readonly signal: AbortSignal
  readonly onEvent: (event: FeedEvent) => void
  /** Time without a message after which the connection is given up, ms. */
  readonly silenceMs?: number
  readonly maxMessageBytes?: number
  readonly backoff?: Backoff
  readonly time?: Time
  readonly writer?: Pick<TickWriterOptions, 'batchSize' | 'batchMs' | 'capacity' | 'rejectsPerMinute'>
}

const defaults = {
  silenceMs: 30_000,
  maxMessageBytes: 256 * 1024,
  backoff: { baseMs: 500, capMs: 30_000 },
  time: systemTime,
}

/**
 * Writes the prices of a vendor's feed to `ticks` until `signal` aborts. Reconnects with backoff after any ending; only
 * a connection that gave a message resets the backoff. Of the processes that run the same feed only the owner connects.
 * Prices that the feed sends while no process is connected are lost, because this message format has no replay.
 */
export async function runFeed(given: FeedOptions): Promise<void> {
  const options = { ...defaults, ...given }
  const { journal, signal, onEvent, time, url } = options
  await ownWriter(
    {
      ...options.writer,
      journal,
      signal,
      time,
      onEvent,
      source: FEED,
      url: withoutSecrets(url),
    },
    (writer) => keepConnected(options, writer),
  )
}

async function keepConnected(options: FeedOptions & typeof defaults, writer: TickWriter): Promise<void> {
  const { url, token = '', signal, onEvent, backoff, time } = options
  const secrets = [token, ...keysIn(new URL(url))]
  for (let attempt = 0; !signal.aborted; attempt++) {
    const connection = {
      ...options,
      onOpen: () => onEvent({ type: 'connected', url: withoutSecrets(url) }),
      onMessage: (bytes: Buffer, isBinary: boolean) => take(writer, maskBytes(bytes, secrets), isBinary),
    }
    const { detail, ...ended } = await receive(connection, signal)
    const ending = { ...ended, detail: maskText(detail, secrets) }
    if (ending.reason === 'aborted') return
    // The refused bytes are gone with the connection, so quarantine keeps the reason instead.
    if (ending.reason === 'refused')
      await writer.reject({ reason: 'bad_frame', detail: ending.detail }, Buffer.from(ending.detail))
    if (ending.messages > 0) attempt = 0
    const retryInMs = backoffMs(attempt, time.random(), backoff)
    onEvent({ type: 'disconnected', ...ending, retryInMs, tally: writer.tally })
    await pause(retryInMs, signal, time)
  }
}

function take(writer: TickWriter, bytes: Buffer, isBinary: boolean): Promise<void> | undefined {
  if (isBinary)
    return writer.reject({ reason: 'not_text', detail: 'The message is binary; only text messages are read.' }, bytes)
  let room: Promise<void> | undefined
  for (const item of parseMessage(bytes.toString('utf8'))) room = writer.write(item) ?? room
  return room
}

/** Address for logs and quarantine, without user part and query, because these may hold a key. */
function withoutSecrets(url: string): string {
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`
}
