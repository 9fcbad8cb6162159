/** How long a caller waits for another process's write, or for the disk, before it hears `unavailable`. */
export const PATIENCE_MS = 2_000
const SLICES = 4

/**
 * Calls `tell` when that time is over, unless the returned function is called before. It passes in slices of which each
 * begins when the one before was seen to be over: while this process itself stands still nobody can be slow to answer it.
 */
export function afterPatience(tell: () => void): () => void {
  let left = SLICES
  let timer: NodeJS.Timeout | undefined
  const pass = () => {
    if (left-- > 0) timer = setTimeout(pass, PATIENCE_MS / SLICES)
    else tell()
  }
  pass()
  return () => clearTimeout(timer)
}
