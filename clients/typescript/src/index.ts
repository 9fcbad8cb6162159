/** The client for browsers and other programs with a standard WebSocket. Node has `node.ts` in its place. */
export { Almanac, type AlmanacOptions, dataOf, type EventsOptions, type StreamName } from './client.ts'
export { type CursorStore, memoryCursor, storageCursor } from './cursor-store.ts'
export type { DecimalConverter } from './decimal.ts'
export { ProblemError, StreamError } from './errors.ts'
export type * from './generated/schema.ts'
export type { Effect, Input, Machine } from './machine.ts'
export { type Socket, type SocketEvents, type SocketOpener, standardSockets } from './socket.ts'
export type { Batch, Stream, StreamTuning } from './stream.ts'
