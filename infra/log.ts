import { pino } from 'pino'

export type Log = {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** JSON lines on standard error; standard output is for what a command prints. Keys and tickets are never logged. */
export const openLog = (level: string, role: string): Log =>
  pino({ level, base: { role }, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination({ fd: 2, sync: true }))
