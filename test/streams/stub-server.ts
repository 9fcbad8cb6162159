import type { Admission, StreamDoor } from '../../access/stream-door.ts'
import { streamPath } from '../../contracts/streams.ts'
import { type StreamServerOptions, startStreamServer } from '../../streams/server.ts'
import type { Outlet, Stream } from '../../streams/stream.ts'
import { onTestFinished } from '../support/concurrent.ts'

export const path = streamPath('predictions')

/** A real server of one stream that sends nothing; clients with a key or a ticket are admitted. For tests of sockets. */
export async function startStubServer(
  options: Partial<StreamServerOptions> = {},
  onAttach: (outlet: Outlet) => void = () => undefined,
  sendsNewestOnly = false,
) {
  const state = { isRevoked: false }
  const stream: Stream = {
    name: 'predictions',
    sendsNewestOnly,
    read: () => ({}),
    attach(outlet) {
      outlet.send(Buffer.from('{"type":"subscribed"}'))
      onAttach(outlet)
      return { resume: () => undefined, detach: () => undefined }
    },
    asOf: () => '',
    isAvailable: () => true,
  }
  const door: Pick<StreamDoor, 'enter' | 'standing' | 'leave'> = {
    async enter({ stream: name, authorization, ticket }) {
      // Answers in a later turn than the handler that uWebSockets.js has called, as a door that asks a store does.
      await new Promise((resolve) => setImmediate(resolve))
      const admission: Admission = { stream: name, keyId: 'TEST', account: 'TEST', plan: 'pro', lease: '' }
      return (authorization ?? ticket) === undefined ? { refused: 'unauthorized', detail: 'No key.' } : admission
    },
    standing: () => (state.isRevoked ? 'revoked' : 'ok'),
    leave: async () => undefined,
  }
  const log = { warn: () => undefined }
  const server = await startStreamServer({
    host: '127.0.0.1',
    port: 0,
    streamBase: 'ws://streams.test',
    streams: [stream],
    door,
    log,
    ...options,
  })
  let drained: Promise<void> | undefined
  const drain = () => (drained ??= server.drain(0))
  onTestFinished(drain)
  return { server, state, drain, port: server.port, url: `ws://127.0.0.1:${server.port}${path}` }
}
