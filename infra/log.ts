import { pino } from 'pino'

export type Log = {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Lines that wait for a log that can't be written, in characters; beyond, they are dropped. */
const WAITING = 1_000_000

/** JSON lines on standard error; standard output is for what a command prints. Keys and tickets are never logged. */
export function openLog(level: string, role: string): Log {
  const destination = pino.destination({ fd: 2, sync: true, maxLength: WAITING })
  // The log may lie on a disk that is full. Without a listener, the first line that can't be written would end the process.
  destination.on('error', () => undefined)
  return pino({ level, base: { role }, timestamp: pino.stdTimeFunctions.isoTime }, destination)
}
