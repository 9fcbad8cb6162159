import { isatty } from 'node:tty'
import { pino } from 'pino'
import { readable } from './readable-log.ts'

export type Log = {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Lines that wait for a log that can't be written, in characters; beyond, they are dropped. */
const WAITING = 1_000_000
const STDERR = 2
export const STDOUT = 1

/**
 * The log of a process, an event a line: JSON, or on a terminal as a person reads it. It goes to standard error, for standard
 * output is for what a command prints. Keys and tickets are never logged.
 */
export function openLog(level: string, role: string, fd = STDERR): Log {
  const destination = pino.destination({ fd, sync: true, maxLength: WAITING })
  // The log may lie on a disk that is full. Without a listener, the first line that can't be written would end the process.
  destination.on('error', () => undefined)
  const sink = isatty(fd) ? { write: (line: string) => void destination.write(readable(line)) } : destination
  const formatters = { level: (name: string) => ({ level: name }) }
  return pino({ level, base: { role }, timestamp: pino.stdTimeFunctions.isoTime, formatters }, sink)
}
