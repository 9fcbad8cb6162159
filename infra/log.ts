import { isatty } from 'node:tty'
import { pino } from 'pino'
import { hideKeys } from '../contracts/key-text.ts'
import { readable } from './readable-log.ts'

export type Log = {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Most characters of log lines that are buffered while the log cannot be written. Further lines are dropped. */
const WAITING = 1_000_000
const STDERR = 2
export const STDOUT = 1

/**
 * Opens the log of a process. Each event is one line: JSON, or readable text on a terminal. The log goes to standard error,
 * because standard output is for the results of commands. Keys and tickets are never logged: what names a request has no query
 * string, and a key that an error repeats is hidden here.
 */
export function openLog(level: string, role: string, fd = STDERR): Log {
  const destination = pino.destination({ fd, sync: true, maxLength: WAITING })
  // The log's disk may be full. Without a listener, the first line that cannot be written would end the process.
  destination.on('error', () => undefined)
  const shown = isatty(fd) ? readable : (line: string) => line
  const sink = { write: (line: string) => void destination.write(shown(hideKeys(line))) }
  const formatters = { level: (name: string) => ({ level: name }) }
  return pino({ level, base: { role }, timestamp: pino.stdTimeFunctions.isoTime, formatters }, sink)
}
