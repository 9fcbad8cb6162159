import { AsyncLocalStorage } from 'node:async_hooks'
import { Writable } from 'node:stream'
import { runProgram } from '../../cli/run-program.ts'
import { serviceEnvironment } from './service.ts'

type Output = { readonly stdout: Writable; readonly stderr: Writable }
export type CommandOutput = { readonly code: number; readonly stdout: string; readonly stderr: string }

/** Standard output and error of the command that runs in this asynchronous context. */
const outputs = new AsyncLocalStorage<Output>()
for (const name of ['stdout', 'stderr'] as const) {
  const ofTheWorker = process[name]
  Object.defineProperty(process, name, { configurable: true, get: () => outputs.getStore()?.[name] ?? ofTheWorker })
}

const ENDING = ['SIGINT', 'SIGTERM'] as const
// Each command that runs at the same time listens for them.
process.setMaxListeners(100)
/** Handlers of these signals that are not of a command. */
const others = new Set(ENDING.flatMap((signal) => process.listeners(signal)))
let running = 0

/**
 * Runs `almanac ARGS…` in this process, which costs a hundredth of a process of its own. Commands may run at the same time.
 * Use `almanac` of `service.ts` where the process itself matters: signals, pipes, users, modes of files and memory.
 */
export async function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<CommandOutput> {
  const foreign = Object.keys(env).filter((name) => !name.startsWith('ALMANAC_'))
  if (foreign.length > 0) throw new Error(`only a process of its own has ${foreign.join(', ')}: use almanac()`)
  const [stdout, stderr] = [collector(), collector()]
  running++
  try {
    const code = await outputs.run({ stdout: stdout.stream, stderr: stderr.stream }, () =>
      runProgram(args, serviceEnvironment(env)),
    )
    return { code, stdout: stdout.text(), stderr: stderr.text() }
  } finally {
    running--
    if (running === 0) removeHandlers()
  }
}

/** A command listens for signals until its process ends, which does not happen here. */
function removeHandlers(): void {
  for (const signal of ENDING)
    for (const handler of process.listeners(signal)) if (!others.has(handler)) process.off(signal, handler)
}

function collector(): { readonly stream: Writable; text(): string } {
  const chunks: Buffer[] = []
  const stream = new Writable({
    decodeStrings: true,
    write(chunk: Buffer, _, done) {
      chunks.push(chunk)
      done()
    },
  })
  return { stream, text: () => Buffer.concat(chunks).toString() }
}
