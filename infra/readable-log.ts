import { styleText } from 'node:util'

type LogLine = Readonly<Record<string, unknown>> & {
  readonly level: string
  readonly time: string
  readonly role: string
  readonly msg: string
}

const colours = { debug: 'dim', warn: 'yellow', error: 'red' } as const

const levelOf = (level: string): string => {
  const padded = level.padEnd(5)
  return level in colours ? styleText(colours[level as keyof typeof colours], padded) : padded
}

/** Formats a JSON line of the log for a terminal: one line, followed by the error's stack if there is one. */
export function readable(line: string): string {
  // Cast: the program's own logger wrote the line.
  const { level, time, role, msg, err, ...fields } = JSON.parse(line) as LogLine
  const told = Object.entries(fields).map(([name, value]) => `${name}=${textOf(value)}`)
  if (err !== undefined) told.push(`err=${textOf(toldBy(err))}`)
  const facts = told.length === 0 ? '' : `  ${styleText('dim', told.join(' '))}`
  const frames = (isError(err) ? err.stack.split('\n') : []).filter((frame) => /^ +at /.test(frame)).map(printable)
  const head = `${time.slice(11, 19)} ${levelOf(level)} ${role.padEnd(10)} ${printable(msg)}${facts}`
  return `${[head, ...frames].join('\n')}\n`
}

/** An error in the log's JSON. */
type LoggedError = {
  readonly type: string
  readonly message: string
  readonly stack: string
  readonly aggregateErrors?: readonly unknown[]
}
const isError = (err: unknown): err is LoggedError =>
  typeof err === 'object' && err !== null && 'message' in err && 'stack' in err

/**
 * Message of an error, followed by the messages of its aggregated errors. A thrown value that is no error is returned as
 * it is.
 */
function toldBy(err: unknown): unknown {
  if (!isError(err)) return err
  const { type, message, aggregateErrors = [] } = err
  return [message || type, ...aggregateErrors.map((each) => String(toldBy(each)))].join(': ')
}

const textOf = (value: unknown): string =>
  printable(typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value))

/** Replaces control characters, because texts of publishers and clients must not control the terminal. */
const printable = (text: string): string => text.replace(/\p{Cc}/gu, '\u{fffd}')
