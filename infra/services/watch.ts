import type { StartedService } from './child.ts'

/** A part to watch: one program, or the nodes of a quorum. */
export type Watched = { readonly name: string; readonly services: readonly StartedService[] }

const WATCH_MS = 1_000

export const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/**
 * Calls `onEnd` once for each program that ends, and tells whether its part keeps working, which needs a majority of its
 * programs. A restarted program is watched again. Returns a function that stops watching.
 */
export function watchOver(parts: readonly Watched[], onEnd: (what: string, goesOn: boolean) => void): () => void {
  const told = new Set<number>()
  const look = () => {
    for (const { name, services } of parts) {
      const running = services.filter(({ pid }) => isAlive(pid)).length
      const goesOn = 2 * running > services.length
      for (const [i, { pid }] of services.entries()) {
        if (told.has(pid) || isAlive(pid)) continue
        told.add(pid)
        if (services.length === 1) onEnd(`${name} has ended`, false)
        else onEnd(`${name}'s node ${i + 1} has ended, ${running} of ${services.length} are left`, goesOn)
      }
    }
  }
  const timer = setInterval(look, WATCH_MS)
  return () => clearInterval(timer)
}
