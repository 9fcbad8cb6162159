import { readdirSync, readFileSync } from 'node:fs'

export type Process = { readonly pid: number; readonly name: string }

/** A process and everything below it, read from /proc. What ends meanwhile is left out. */
export function processTree(root: number): Process[] {
  if (!isAlmanac(root)) return []
  const script = read(`/proc/${root}/cmdline`)
    .split('\0')
    .find((word) => /\/cli\/.*\.m?[jt]s$/.test(word))
  const name =
    script
      ?.split('/')
      .at(-1)
      ?.replace(/\.m?[jt]s$/, '') ?? ''
  return [{ pid: root, name: name === 'almanac' ? 'supervisor' : name }, ...childrenOf(root).flatMap(processTree)]
}

/**
 * Whether the process still runs and is the program: its number may have been given to another one. One that is being
 * killed gives up its memory first, and has no command line from then on.
 */
export const isAlmanac = (pid: number): boolean => read(`/proc/${pid}/cmdline`).includes('/cli/')

function childrenOf(pid: number): number[] {
  const threads = listed(`/proc/${pid}/task`)
  return threads.flatMap((thread) =>
    read(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  )
}

/** An ended process has no files in /proc: that reads as empty. */
function listed(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

/** As `listed`. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
