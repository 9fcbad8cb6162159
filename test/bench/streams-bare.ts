/** The ceiling of the streams bench: uWebSockets.js and nothing else, sending the same frames. A process of its own. */

import { App, us_socket_local_port, type WebSocket } from 'uWebSockets.js'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { PriceBoard } from '../../domain/price-board.ts'
import { EventEncoder } from '../../streams/events/encoder.ts'
import { frameOf } from '../../streams/stream.ts'
import { atRate, eventOf, quotesOf } from './streams-data.ts'
import { answerTo, usage } from './streams-process.ts'

const sockets: WebSocket<unknown>[] = []
const app = App()
app.ws<unknown>('/*', {
  compression: 0,
  maxPayloadLength: 1024 * 1024,
  maxBackpressure: 1024 * 1024,
  idleTimeout: 120,
  sendPingsAutomatically: true,
  open(ws) {
    sockets.push(ws)
    ws.subscribe('events')
  },
  close(ws) {
    sockets.splice(sockets.indexOf(ws), 1)
  },
})

/** Frames of two checks, made beforehand and sent by turns. */
const frames = [0, 1].map((check) => {
  const board = new PriceBoard()
  return quotesOf(check).map((quote) => {
    board.apply(quote)
    const [commodity = '', currency = ''] = quote.symbol.split('-')
    return frameOf({ type: 'commodity', spot: board.spot(commodity, currency, new Date(quote.observed_at)) })
  })
})
const record = eventOf(1_000_000)
const encoder = new EventEncoder({ id: '0'.repeat(36), generations: [], decode: () => record as never })
const event = Buffer.from(encoder.message(record, 1_000_000))
let check = 0

app.listen('127.0.0.1', 0, (socket) => {
  process.send?.({ port: us_socket_local_port(socket as never) })
})
answerTo({
  usage: ({ collect }: { collect?: boolean }) => usage(collect),
  check() {
    const some = frames[check++ % 2] as Uint8Array[]
    for (const ws of sockets)
      ws.cork(() => {
        for (const frame of some) ws.send(frame, false)
      })
  },
  /** Each in a turn of the event loop of its own, also when late: what is published in one turn goes out together. */
  async publish({ perSecond, count }: { perSecond: number; count: number }) {
    let last = Promise.resolve()
    await atRate(perSecond, count, () => {
      last = last.then(() => nextTurn()).then(() => void app.publish('events', event, false))
    })
    await last
    return {}
  },
})
