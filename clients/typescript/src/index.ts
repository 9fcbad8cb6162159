/** The client for browsers and other programs with a standard WebSocket. Node has `node.ts` in its place. */
export {
  AlmanacClient as Almanac,
  type AlmanacOptions,
  dataOf,
  type EventsOptions,
  type HistoryEntry,
  type HistoryIndicator,
  type PricesOptions,
} from './client.ts'
export { type CursorStore, memoryCursor, storageCursor } from './cursor-store.ts'
export { compareDecimalTexts, type DecimalConverter } from './decimal.ts'
export { RestError, type RestFailure, StreamError } from './errors.ts'
export type * from './generated/schema.ts'
export type { Machine, MachineEffect, MachineInput } from './machine.ts'
export { type SocketEvents, type SocketOpener, type StreamSocket, standardSockets } from './socket.ts'
export type { ResumingStream, StreamBatch } from './stream.ts'
export type { StreamTuning } from './stream-source.ts'
