import { errorMessage } from '../base/errors.ts'
import { nearestText } from '../base/nearest.ts'
import { program } from '../contracts/program.ts'
import { ConfigError, loadConfig, settingsTable } from '../infra/config.ts'
import { type Command, complain, Interrupted, print, UsageError } from './command.ts'
import { commands } from './commands.ts'

/** Whether an engine is down or a disk is full, by the codes that the rooms' errors carry. */
const isUnavailable = (error: unknown): boolean => {
  // Any value may have been thrown; a field that it does not have is undefined.
  const { code, kind } = error as { code?: string; kind?: string }
  return code === 'unavailable' || code === 'full' || kind === 'unavailable'
}

function help(): void {
  print('almanac: economic and market data as an event-sourced service\n\nCommands')
  for (const [name, { summary }] of Object.entries(commands)) print(`  ${name.padEnd(10)} ${summary}`)
  print(
    `\n\`${program} help COMMAND\` explains a command. \`${program} --version\` prints the release.\n\nSettings (environment variables)`,
  )
  const width = Math.max(...settingsTable.map(({ name }) => name.length))
  for (const { name, default: fallback, description } of settingsTable) {
    print(`  ${name.padEnd(width)} ${description}${fallback === '' ? '' : ` (default ${fallback})`}`)
  }
}

/** Throws UsageError if there is no such command. */
async function commandNamed(name: string): Promise<Command> {
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!entry) {
    const meant = nearestText(name, Object.keys(commands))
    const question = meant ? `; did you mean ${meant}?` : ''
    throw new UsageError(
      `unknown command ${JSON.stringify(name)}${question}; the commands are ${Object.keys(commands).join(', ')}`,
    )
  }
  return (await entry.load()).command
}

const usageOf = async ({ usage, details }: Command): Promise<string> =>
  details ? `${usage}\n\n${await details()}` : usage

async function run([name = 'help', ...args]: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  if (name === 'help' || name === '--help' || name === '-h') {
    const [about, ...surplus] = args
    if (surplus.length > 0) throw new UsageError(`help explains one command at a time: \`${program} help COMMAND\``)
    if (about === undefined) help()
    else print(await usageOf(await commandNamed(about)))
    return 0
  }
  if (name === '--version' || name === '-V') {
    const { version } = await import('./version.ts')
    print(version)
    return 0
  }
  const command = await commandNamed(name)
  if (args.includes('--help') || args.includes('-h')) {
    print(await usageOf(command))
    return 0
  }
  const config = loadConfig(env)
  try {
    return await command.run(args, config, env)
  } catch (error) {
    // Loaded only after a failure, because it imports every engine's errors.
    const { explained } = await import('./journal-faults.ts')
    throw explained(error, config)
  }
}

/** Runs one command. Resolves with the exit code of the program, after an error has been printed. */
export async function runProgram(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  try {
    return await run(args, env)
  } catch (error) {
    // An error that the user can mend is printed as one line. Any other error is a fault of the program and gets its stack.
    const isUserError =
      error instanceof UsageError ||
      error instanceof Interrupted ||
      error instanceof ConfigError ||
      String((error as { code?: unknown }).code).startsWith('ERR_PARSE_ARGS')
    // An engine that is down, or a full disk, gets one line too, but it is no mistake of the user.
    const isAway =
      /^(?:JournalError|AccessError|ClickHouseFailure|ObjectStoreError)$/.test((error as Error).name) &&
      isUnavailable(error)
    complain(isUserError || isAway ? errorMessage(error) : ((error as Error).stack ?? String(error)))
    // 130 is what a shell reports of a program that SIGINT ended.
    return error instanceof Interrupted ? 130 : isUserError ? 2 : 1
  }
}
