/** Tells whether a process that recorded its identity still runs, even if another process has its pid now. */
import { readFileSync, readlinkSync } from 'node:fs'
import { errorCode } from '../errors.ts'
import { withSpareDescriptor } from './spare-descriptor.ts'

export type ProcessIdentity = {
  readonly pid: number
  /** Linux: clock ticks between boot and start. Null elsewhere. */
  readonly started: string | null
  /** Linux: the boot during which the process ran. Null elsewhere. */
  readonly boot: string | null
  readonly namespace: string | null
}

export const currentProcess: ProcessIdentity = {
  pid: process.pid,
  started: statusOf(process.pid)?.started ?? null,
  boot: orNull(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
  namespace: orNull(() => readlinkSync('/proc/self/ns/pid')),
}

/**
 * State of a process; `unknown` if it belongs to another container. Throws if the system cannot be asked, because a
 * running process must never be taken for one that has ended.
 */
export function fateOf({ pid, started, boot, namespace }: ProcessIdentity): 'running' | 'gone' | 'unknown' {
  if (boot !== currentProcess.boot) return 'gone'
  if (namespace !== currentProcess.namespace) return 'unknown'
  if (started === null) return existsPid(pid) ? 'running' : 'gone'
  const status = statusOf(pid)
  // A zombie has ended, but its parent has not collected its status. Under a careless init this state lasts for ever.
  const over = !status || status.started !== started || status.state === 'Z' || status.state === 'X'
  return over ? 'gone' : 'running'
}

/**
 * Reads proc_pid_stat(5). The name in parentheses may contain anything; `state` is field 3 and `starttime` field 22.
 */
function statusOf(pid: number): { state: string; started: string } | null {
  const stat = statOf(pid)
  if (stat === null) return null
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return { state: fields[0] ?? '', started: fields[19] ?? '' }
}

/** Null if there is no such file: the process has ended, or the system has no /proc. */
function statOf(pid: number): string | null {
  try {
    return withSpareDescriptor(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes(errorCode(error) ?? '')) return null
    throw error
  }
}

function existsPid(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) !== 'ESRCH'
  }
}

function orNull<T>(get: () => T): T | null {
  try {
    return get()
  } catch {
    return null
  }
}
