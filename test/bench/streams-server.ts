/** A server of the streams bench, a process of its own: `prices`, or `events` of the journal in a directory. */
import type { Admission } from '../../access/stream-door.ts'
import type { StreamName } from '../../contracts/streams.ts'
import { openEmbeddedJournal } from '../../journal/embedded/journal.ts'
import { localRegistry } from '../../journal/registry.ts'
import { TypedJournal } from '../../journal/typed.ts'
import { type EventsStreamOptions, eventsStream } from '../../streams/events/index.ts'
import { PricesStream } from '../../streams/prices/index.ts'
import { startStreamServer } from '../../streams/server.ts'
import type { Stream } from '../../streams/stream.ts'
import { quotesOf } from './streams-data.ts'
import { answerTo, usage } from './streams-process.ts'

export type EventsServerOptions = { readonly dir: string } & Pick<EventsStreamOptions, 'blockBytes' | 'warmOffsets'>

/**
 * Admits everybody: what is measured is the sending, and a key may have ten streams. The real door is asked once a
 * connection, and four times a second whether it may stay.
 */
const admit = async ({ stream }: { stream: StreamName }): Promise<Admission> => ({
  stream,
  keyId: 'bench',
  account: 'bench',
  plan: 'pro',
  lease: 'bench',
})

let reads = 0
let check = 0
const prices = new PricesStream()

async function events({ dir, ...options }: EventsServerOptions): Promise<Stream> {
  const typed = await TypedJournal.open(await openEmbeddedJournal({ dir }), localRegistry())
  const journal: EventsStreamOptions['journal'] = {
    id: typed.id,
    generations: typed.generations,
    bounds: (...args) => typed.bounds(...args),
    decode: (...args) => typed.decode(...args),
    followEncoded: (...args) => typed.followEncoded(...args),
    newest: (...args) => typed.newest(...args),
    offsetForTime: (...args) => typed.offsetForTime(...args),
    readEncoded(...args) {
      reads++
      return typed.readEncoded(...args)
    },
  }
  const stream = eventsStream({ journal, signal: new AbortController().signal, ...options })
  await stream.caughtUp
  return stream
}

function pricesLoaded(): Stream {
  for (const quote of quotesOf(check++)) prices.apply(quote)
  prices.loaded({ isAway: () => false })
  return prices as Stream
}

const [kind, options = '{}'] = process.argv.slice(2)
const server = await startStreamServer({
  host: '127.0.0.1',
  port: 0,
  streamBase: 'ws://streams.test',
  streams: [kind === 'prices' ? pricesLoaded() : await events(JSON.parse(options) as EventsServerOptions)],
  door: { enter: admit, standing: () => 'ok', leave: () => Promise.resolve() },
  log: { warn: (fields) => process.stderr.write(`${JSON.stringify(fields)}\n`) },
})
answerTo({
  usage: ({ collect }: { collect?: boolean }) => usage(collect),
  reads: () => ({ reads }),
  open: () => ({ open: server.open() }),
  /** One check of the prices, all of which have changed. */
  check() {
    for (const quote of quotesOf(check++)) prices.apply(quote)
    prices.check()
  },
})
process.send?.({ port: server.port })
