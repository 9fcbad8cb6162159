import { styleText } from 'node:util'

type Entry = Readonly<Record<string, unknown>> & {
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

/** A line of the log, which is JSON, as a person reads it on a terminal: one line, and the stack below where there is one. */
export function readable(line: string): string {
  const { level, time, role, msg, err, ...fields } = JSON.parse(line) as Entry
  const told = Object.entries(fields).map(([name, value]) => `${name}=${textOf(value)}`)
  if (err !== undefined) told.push(`err=${textOf(toldBy(err))}`)
  const facts = told.length === 0 ? '' : `  ${styleText('dim', told.join(' '))}`
  const frames = (isError(err) ? err.stack.split('\n') : []).filter((frame) => /^ +at /.test(frame)).map(printable)
  const head = `${time.slice(11, 19)} ${levelOf(level)} ${role.padEnd(10)} ${printable(msg)}${facts}`
  return `${[head, ...frames].join('\n')}\n`
}

/** An error as the log's JSON has it. */
type LoggedError = {
  readonly type: string
  readonly message: string
  readonly stack: string
  readonly aggregateErrors?: readonly unknown[]
}
const isError = (err: unknown): err is LoggedError =>
  typeof err === 'object' && err !== null && 'message' in err && 'stack' in err

/** What an error says and, of an error that stands for several, what each of them says. Anything else may be thrown, too. */
function toldBy(err: unknown): unknown {
  if (!isError(err)) return err
  const { type, message, aggregateErrors = [] } = err
  return [message || type, ...aggregateErrors.map((each) => String(toldBy(each)))].join(': ')
}

const textOf = (value: unknown): string =>
  printable(typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value))

/** Texts of publishers and clients may stand in it: none is to move a terminal's cursor. */
const printable = (text: string): string => text.replace(/\p{Cc}/gu, '\u{fffd}')
