/** Clients that subscribe and stop reading, a process of its own: what they are sent waits for ever. */
import { connect, type Socket } from 'node:net'
import { answerTo } from './streams-process.ts'

type Stop = { readonly port: number; readonly path: string; readonly count: number; readonly subscribe: object }

const AT_ONCE = 100
const sockets: Socket[] = []

answerTo({
  /** Answers when each has asked; the server may read the subscribe message before or after it has judged the key. */
  async stop({ port, path, count, subscribe }: Stop) {
    for (let made = 0; made < count; made += AT_ONCE) {
      await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - made) }, () => stopped(port, path, subscribe)))
    }
    return {}
  },
  leave() {
    for (const socket of sockets.splice(0)) socket.destroy()
    return {}
  },
})

/** Nothing listens for `data`, so Node takes one piece off the socket and no more. */
async function stopped(port: number, path: string, subscribe: object): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true })
  sockets.push(socket)
  socket.on('error', () => undefined)
  const { promise, resolve } = Promise.withResolvers<void>()
  socket.write(
    [
      `GET ${path} HTTP/1.1`,
      'host: bench',
      'connection: upgrade',
      'upgrade: websocket',
      'sec-websocket-version: 13',
      'sec-websocket-key: YWxtYW5hYyBiZW5jaCAxMg==',
      'authorization: Bearer bench',
      '\r\n',
    ].join('\r\n'),
  )
  socket.once('readable', () => {
    const text = JSON.stringify(subscribe)
    // A short masked text frame; a mask of noughts is a mask.
    socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]), () =>
      resolve(),
    )
  })
  return promise
}
