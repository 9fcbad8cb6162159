import type { Config } from '../infra/config.ts'

export type Command = {
  /** Text of `almanac help COMMAND`: the command line, then what the command does. */
  readonly usage: string
  /** What follows the usage, if it takes modules that the command itself does without. */
  details?(): Promise<string>
  /** Resolves with the exit code. Throws `UsageError` on wrong arguments. `env` is what `config` was read from. */
  run(args: readonly string[], config: Config, env: NodeJS.ProcessEnv): Promise<number>
}

/** Thrown if the arguments, or the state of the service, do not allow the command. The message tells what to do. */
export class UsageError extends Error {}

/** The user has interrupted the command. The message tells the state that it left. */
export class Interrupted extends Error {}

/** Aborts with `Interrupted` at the first SIGINT (Ctrl-C). A second SIGINT ends the process at once. */
export function interruptSignal(message = 'interrupted; run it again to continue'): AbortSignal {
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort(new Interrupted(message)))
  return stop.signal
}

export const print = (text: string): void => void process.stdout.write(`${text}\n`)

/** Writes a line about a fault to standard error. */
export const complain = (text: string): void => void process.stderr.write(`almanac: ${text}\n`)

/** Prints the lines of a list, or `none`, which says what would fill it, if it has no entry. */
export async function printList(lines: AsyncIterable<string> | Iterable<string>, none: string): Promise<void> {
  let isEmpty = true
  for await (const line of lines) {
    isEmpty = false
    print(line)
  }
  if (isEmpty) print(none)
}

/** Prints the entries of a list as NDJSON: nothing if there is none. */
export async function printJsonLines(entries: AsyncIterable<object> | Iterable<object>): Promise<void> {
  for await (const entry of entries) print(JSON.stringify(entry))
}
