/**
 * Ends a process that exits in the middle of a commit, by SIGKILL.
 *
 * On exit Node waits for the threads of its pool. The one that commits waits for callbacks from JavaScript, which no longer runs
 * (lmdb-js 3.5.6). So the process would never end, no supervisor would start it again, and its mark would hold up every process
 * that opens the environment. Killed, it loses only what was not acknowledged, as in any crash.
 */

type Committer = { readonly isCommitting: boolean }

const committers = new Set<Committer>()
/** The error that nobody caught, which Node would print only after the event `exit`. */
let fatal: { readonly error: unknown } | undefined

export function watchExit(committer: Committer): void {
  if (committers.size === 0) process.on('exit', endIfCommitting).on('uncaughtExceptionMonitor', noteFatal)
  committers.add(committer)
}

export function unwatchExit(committer: Committer): void {
  committers.delete(committer)
  if (committers.size === 0) process.off('exit', endIfCommitting).off('uncaughtExceptionMonitor', noteFatal)
}

function noteFatal(error: unknown): void {
  fatal = { error }
}

function endIfCommitting(): void {
  if (![...committers].some(({ isCommitting }) => isCommitting)) return
  if (fatal) console.error(fatal.error)
  process.kill(process.pid, 'SIGKILL')
}
