import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'

const program = join(import.meta.dirname, '../../../cli/almanac.mjs')

export type CommandResult = {
  readonly code: number | null
  readonly signal: string | null
  readonly stdout: string
  readonly stderr: string
}

/** Starts the command line, as a user does, with these settings and no others of ours. */
export function spawnAlmanac(args: readonly string[], settings: Readonly<Record<string, string>>): ChildProcess {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('ALMANAC_'))
  return spawn(process.execPath, [program, ...args], {
    env: { ...Object.fromEntries(inherited), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Resolves when the command has ended, however it ended. */
export function resultOf(child: ChildProcess): Promise<CommandResult> {
  const chunks: Buffer[] = []
  let stderr = ''
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk))
  return new Promise((resolve) =>
    child.on('close', (code, signal) =>
      resolve({ code, signal, stdout: Buffer.concat(chunks).toString('utf8'), stderr }),
    ),
  )
}

/** Runs a command that must succeed; throws with what it printed if it doesn't. */
export async function mustRun(args: readonly string[], settings: Readonly<Record<string, string>>): Promise<string> {
  const { code, signal, stdout, stderr } = await resultOf(spawnAlmanac(args, settings))
  if (code !== 0) throw new Error(`almanac ${args.join(' ')} ended with ${code ?? signal}: ${stdout}${stderr}`)
  return stdout
}
