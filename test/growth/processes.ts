/** What Linux says of other processes, in `/proc`. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { childrenOf, cpuOf } from '../bench/measure.ts'

const numberAfter = (text: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? Number.NaN)

/** Seconds for which the main thread of a process has run: in Node, those of its event loop. */
export const eventLoopSeconds = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ')[0]) / 1e9

/** Bytes that a process has made the disk write. */
export const bytesWritten = (pid: number): number =>
  numberAfter(readFileSync(`/proc/${pid}/io`, 'latin1'), 'write_bytes')

/** Resident memory in bytes: all of it, and that of the process without pages of files. */
export type Memory = { readonly all: number; readonly own: number }

/** The memory of processes together. Those that have ended have none. */
export function memoryOf(pids: readonly number[]): Memory {
  let [all, own] = [0, 0]
  for (const pid of pids) {
    const status = statusOf(pid)
    all += numberAfter(status, 'VmRSS') * 1_024 || 0
    own += numberAfter(status, 'RssAnon') * 1_024 || 0
  }
  return { all, own }
}

/** Empty for a process that has ended. */
function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'latin1')
  } catch {
    return ''
  }
}

/** Calls `look` every so many milliseconds until it is told to stop, and once more then. It does not keep a failed run from ending. */
function watch(look: () => void, everyMs: number): () => void {
  const timer = setInterval(look, everyMs).unref()
  return () => {
    clearInterval(timer)
    look()
  }
}

/** Notes the greatest memory of processes until it is asked for. */
export function watchMemory(pids: () => readonly number[], everyMs: number): () => Memory {
  let most: Memory = { all: 0, own: 0 }
  const stop = watch(() => {
    const { all, own } = memoryOf(pids())
    most = { all: Math.max(most.all, all), own: Math.max(most.own, own) }
  }, everyMs)
  return () => {
    stop()
    return most
  }
}

/** What a command has needed with its child processes until it is asked for: the greatest memory, and seconds of CPU time. */
export function watchCommand(pid: number): () => { readonly memory: Memory; readonly cpu: number } {
  let cpu = 0
  const memory = watchMemory(() => {
    // 0 once it has ended.
    cpu = Math.max(cpu, cpuOf(pid))
    return [pid, ...childrenOf(pid)]
  }, 10)
  return () => ({ memory: memory(), cpu })
}

/** Counts the bytes of the checkpoints that are put into a directory, also in place of others, until it is asked for. */
export function watchCheckpoints(directory: string): () => number {
  const seen = new Map<string, number>()
  let bytes = 0
  const look = () => {
    for (const name of filesOf(directory)) {
      const { ino, size } = statSync(join(directory, name))
      if (seen.get(name) !== ino) bytes += size
      seen.set(name, ino)
    }
  }
  look()
  const before = bytes
  const stop = watch(look, 50)
  return () => {
    stop()
    return bytes - before
  }
}

function filesOf(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => name.endsWith('.checkpoint'))
  } catch {
    return []
  }
}
