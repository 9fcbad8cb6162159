/** Tells whether the process that once wrote its identity down still runs, however its pid has been reused since. */
import { readFileSync, readlinkSync } from 'node:fs'
import { withSpareDescriptor } from './spare-descriptor.ts'

export type ProcessIdentity = {
  readonly pid: number
  /** Linux: clock ticks between boot and start. Null elsewhere. */
  readonly started: string | null
  /** Linux: the boot during which it ran, and the namespace its pid belongs to. Null elsewhere. */
  readonly boot: string | null
  readonly namespace: string | null
}

export const currentProcess: ProcessIdentity = {
  pid: process.pid,
  started: statusOf(process.pid)?.started ?? null,
  boot: orNull(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
  namespace: orNull(() => readlinkSync('/proc/self/ns/pid')),
}

/** Unknown: it is of another container. Throws if the system can't be asked: a process that runs must never pass for one that is gone. */
export function fateOf({ pid, started, boot, namespace }: ProcessIdentity): 'running' | 'gone' | 'unknown' {
  if (boot !== currentProcess.boot) return 'gone'
  if (namespace !== currentProcess.namespace) return 'unknown'
  if (started === null) return existsPid(pid) ? 'running' : 'gone'
  const status = statusOf(pid)
  // A zombie has ended but has not been waited for, which may last for ever under a careless init.
  const over = !status || status.started !== started || status.state === 'Z' || status.state === 'X'
  return over ? 'gone' : 'running'
}

/** See proc_pid_stat(5): the name in parentheses may hold anything; state is field 3, starttime field 22. */
function statusOf(pid: number): { state: string; started: string } | null {
  const stat = statOf(pid)
  if (stat === null) return null
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return { state: fields[0] as string, started: fields[19] as string }
}

/** Null where there is no such file: the process has ended, or the system has no /proc. */
function statOf(pid: number): string | null {
  try {
    return withSpareDescriptor(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return null
    throw error
  }
}

function existsPid(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

function orNull<T>(get: () => T): T | null {
  try {
    return get()
  } catch {
    return null
  }
}
