/** What a bench hands back, and how it takes time. */
import { readdirSync, readFileSync } from 'node:fs'

/** One figure of ours beside its ceiling or peer, taken in the same run on the same machine. */
export type Measure = {
  readonly name: string
  readonly ours: number
  readonly ceiling: number
  /** A unit with a slash, such as `records/s`, is a rate, of which more is better. Any other, such as `ms`, is a cost. */
  readonly unit: string
  /** What the ratio should reach. For a cost: what it may reach. */
  readonly goal?: number
  /** Microseconds of CPU time for each operation, where the bench takes them beside the clock. */
  readonly cpu?: { readonly ours: number; readonly ceiling: number }
}

export const isRate = ({ unit }: Measure): boolean => unit.includes('/')

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

/** Seconds that `work` takes. */
export async function seconds(work: () => unknown): Promise<number> {
  const from = performance.now()
  await work()
  return (performance.now() - from) / 1000
}

/** Seconds by the clock, and seconds of CPU time. */
export type Cost = { readonly clock: number; readonly cpu: number }

/** What `work` costs, with the CPU time of all threads and child processes of this process. */
export async function costOf(work: () => unknown): Promise<Cost> {
  const before = process.cpuUsage()
  const children = cpuOfChildren(process.pid)
  const clock = await seconds(work)
  const { user, system } = process.cpuUsage(before)
  return { clock, cpu: (user + system) / 1e6 + cpuOfChildren(process.pid) - children }
}

/**
 * The row of what both did with `count` operations in each round. Totals of the rounds, because they spread less from turn to
 * turn than medians of so few.
 */
export function throughput(
  row: Pick<Measure, 'name' | 'unit' | 'goal'>,
  count: number,
  ours: readonly Cost[],
  ceiling: readonly Cost[],
): Measure {
  const each = (rounds: readonly Cost[], kind: keyof Cost) =>
    rounds.reduce((total, cost) => total + cost[kind], 0) / (count * rounds.length)
  return {
    ...row,
    ours: 1 / each(ours, 'clock'),
    ceiling: 1 / each(ceiling, 'clock'),
    cpu: { ours: each(ours, 'cpu') * 1e6, ceiling: each(ceiling, 'cpu') * 1e6 },
  }
}

/** Clock ticks in a second, by which Linux counts the CPU time of a process. */
const TICKS = 100

/** CPU seconds of a process and its children so far. Linux only: 0 elsewhere, and for a process that has ended. */
export function cpuOf(pid: number): number {
  return (ticksOf(pid)?.own ?? 0) / TICKS + cpuOfChildren(pid)
}

function cpuOfChildren(pid: number): number {
  const ended = (ticksOf(pid)?.ended ?? 0) / TICKS
  return childrenOf(pid).reduce((sum, child) => sum + cpuOf(child), ended)
}

/** User and system time of a process, and of its children that have ended (proc_pid_stat(5), fields 14 to 17). */
function ticksOf(pid: number): { readonly own: number; readonly ended: number } | undefined {
  const stat = processFile(`${pid}/stat`)
  if (stat === undefined) return
  // The name of the program stands in brackets and may have spaces. Field 3 follows it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15).map(Number)
  return { own: user + system, ended: endedUser + endedSystem }
}

/** All processes below one, each before those below it. Linux only. */
export const descendantsOf = (pid: number): number[] =>
  childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)])

/** Ids of the child processes of one. Linux only. */
export const childrenOf = (pid: number): number[] =>
  threadsOf(pid).flatMap((thread) => {
    const children = processFile(`${pid}/task/${thread}/children`) ?? ''
    return children.split(' ').filter(Boolean).map(Number)
  })

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

/** Reads a file below `/proc`. Undefined if there is none: a process or a thread may end at any moment. */
function processFile(name: string): string | undefined {
  try {
    return readFileSync(`/proc/${name}`, 'latin1')
  } catch {
    return undefined
  }
}
