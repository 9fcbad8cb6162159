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
  const { message, stack } = (err ?? {}) as { readonly message?: string; readonly stack?: string }
  if (message !== undefined) told.push(`err=${textOf(message)}`)
  const facts = told.length === 0 ? '' : `  ${styleText('dim', told.join(' '))}`
  const frames = (stack?.split('\n') ?? []).filter((frame) => /^ +at /.test(frame)).map(printable)
  const head = `${time.slice(11, 19)} ${levelOf(level)} ${role.padEnd(10)} ${printable(msg)}${facts}`
  return `${[head, ...frames].join('\n')}\n`
}

const textOf = (value: unknown): string =>
  printable(typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value))

/** Texts of publishers and clients may stand in it: none is to move a terminal's cursor. */
const printable = (text: string): string => text.replace(/\p{Cc}/gu, '\u{fffd}')
