import type { Config } from '../infra/config.ts'

/** One command of the `almanac` program. */
export type Command = {
  /** One line for `almanac help`. */
  readonly summary: string
  /** The whole command as one types it, then what it does; several lines. */
  readonly usage: string
  /** Resolves with the exit code. Throws `UsageError` on wrong arguments. */
  run(args: readonly string[], config: Config): Promise<number>
}

/** The arguments are not of the command's form. */
export class UsageError extends Error {}

export const print = (text: string): void => void process.stdout.write(`${text}\n`)
