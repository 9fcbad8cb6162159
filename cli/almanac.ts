#!/usr/bin/env node
import { nearestText } from '../domain/nearest.ts'
import { ConfigError, loadConfig, settingsTable } from '../infra/config.ts'
import { createPrivateFiles } from '../infra/private-files.ts'
import { type Command, print, UsageError } from './command.ts'
import { quietLmdb } from './quiet-lmdb.ts'

const commands: Readonly<Record<string, () => Promise<{ command: Command }>>> = {
  start: () => import('./commands/start.ts'),
  keys: () => import('./commands/keys.ts'),
  ingest: () => import('./commands/ingest.ts'),
  replay: () => import('./commands/replay.ts'),
  rebuild: () => import('./commands/rebuild.ts'),
  verify: () => import('./commands/verify.ts'),
  journal: () => import('./commands/journal.ts'),
  doctor: () => import('./commands/doctor.ts'),
  schedule: () => import('./commands/schedule.ts'),
  schemas: () => import('./commands/schemas.ts'),
}

const isUnavailable = (error: unknown): boolean => {
  const { code, kind } = error as { code?: string; kind?: string }
  return code === 'unavailable' || code === 'full' || kind === 'unavailable'
}

async function help(): Promise<void> {
  print('almanac: economic and market data as an event-sourced service\n\nCommands')
  for (const [name, load] of Object.entries(commands)) print(`  ${name.padEnd(9)} ${(await load()).command.summary}`)
  print('\n`almanac help COMMAND` tells more, `almanac --version` which release this is.\n\nSettings (environment)')
  const width = Math.max(...settingsTable.map(({ name }) => name.length))
  for (const { name, default: fallback, description } of settingsTable) {
    print(`  ${name.padEnd(width)} ${description}${fallback === '' ? '' : ` (default ${fallback})`}`)
  }
}

/** Throws UsageError if there is no such command. */
async function commandNamed(name: string): Promise<Command> {
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!load) {
    const meant = nearestText(name, Object.keys(commands))
    const question = meant ? `; did you mean ${meant}?` : ''
    throw new UsageError(`no command ${JSON.stringify(name)}${question}; there are ${Object.keys(commands).join(', ')}`)
  }
  return (await load()).command
}

async function main([name = 'help', ...args]: readonly string[]): Promise<number> {
  if (name === 'help' || name === '--help' || name === '-h') {
    const [about, ...surplus] = args
    if (surplus.length > 0) throw new UsageError('`almanac help COMMAND` tells of one command')
    if (about === undefined) await help()
    else print((await commandNamed(about)).usage)
    return 0
  }
  if (name === '--version' || name === '-V') {
    const { version } = await import('./version.ts')
    print(version)
    return 0
  }
  const command = await commandNamed(name)
  if (args.includes('--help') || args.includes('-h')) {
    print(command.usage)
    return 0
  }
  const config = loadConfig(process.env)
  createPrivateFiles()
  try {
    return await command.run(args, config)
  } catch (error) {
    // Loaded only now: most runs end well, and it knows all engines.
    const { explained } = await import('./journal-faults.ts')
    throw explained(error, config)
  }
}

quietLmdb()

// Whoever reads from us, `head` for one, has had enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  // What the user can mend is said in a line; what is ours comes with its stack.
  const theirs =
    error instanceof UsageError ||
    error instanceof ConfigError ||
    (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS')
  // An engine that is away, or a full disk, is said in a line too; it isn't a mistake of theirs.
  const isAway = /^(?:JournalError|AccessError|ClickHouseFailure)$/.test((error as Error).name) && isUnavailable(error)
  process.stderr.write(
    `almanac: ${theirs || isAway ? (error as Error).message : ((error as Error).stack ?? String(error))}\n`,
  )
  process.exitCode = theirs ? 2 : 1
}
