/** Kills a process at a chosen system call, or has the call fail, by strace. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The n-th call, counted by thread, of any of these system calls; only those on `path`, if that is given. */
export type Moment = {
  readonly calls: string
  readonly nth: number
  readonly path?: string
  /** Error, such as ENOSPC, with which the call fails; nothing is killed then. */
  readonly error?: string
}

export type Trap = {
  /** Resolves once the process has ended, with the call at which it was killed, as strace wrote it. */
  readonly struck: Promise<string>
  /** Lets the process go on undisturbed. */
  remove(): Promise<void>
}

/**
 * Sets a trap for a process and all its threads. They run on until the moment comes: the process is killed with SIGKILL
 * as that call begins, so what went before it is done and the call itself isn't. Throws if strace may not trace it.
 */
export async function killAt(pid: number, { calls, nth, path, error }: Moment): Promise<Trap> {
  const dir = mkdtempSync(join(tmpdir(), 'almanac-strace-'))
  const log = join(dir, 'log')
  const options = ['-f', '-qq', '-y', '-o', log, '-p', String(pid), ...(path === undefined ? [] : ['-P', path])]
  const injection = [
    '-e',
    `trace=${calls}`,
    '-e',
    `inject=${calls}:${error ? `error=${error}` : 'signal=KILL'}:when=${nth}`,
  ]
  const strace = spawn('strace', [...options, ...injection], { stdio: ['ignore', 'ignore', 'pipe'] })
  await once(strace, 'spawn')
  let said = ''
  strace.stderr.on('data', (text: Buffer) => {
    said += text.toString()
  })
  const ended = once(strace, 'close').then(() => {
    const lines = readFileSync(log, 'utf8').split('\n')
    rmSync(dir, { recursive: true })
    return lines
  })
  const isOver = () => strace.exitCode !== null || strace.signalCode !== null
  while (!isTraced(pid)) {
    if (isOver()) throw new Error(`strace cannot trace process ${pid}: ${said}`)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  return {
    struck: ended.then(lastCall),
    remove: async () => {
      strace.kill('SIGTERM')
      await ended
    },
  }
}

/** Whether every thread of the process has a tracer. */
function isTraced(pid: number): boolean {
  const tasks = `/proc/${pid}/task`
  return readdirSync(tasks).every(
    (task) => !/^TracerPid:\s*0$/m.test(readFileSync(join(tasks, task, 'status'), 'utf8')),
  )
}

function lastCall(lines: readonly string[]): string {
  const killed = lines.findIndex((line) => line.includes('+++ killed'))
  const call = lines.slice(0, killed).findLast((line) => /^\d+ +\w+\(/.test(line))
  return call?.replace(/^\d+ +/, '') ?? ''
}
