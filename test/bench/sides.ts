/** What takes turns: the working tree, and another revision of it in a directory of its own. */
import { execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, readFileSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Measure } from './measure.ts'

const run = promisify(execFile)
const BENCH = 'test/bench'
/** Name of the directory beside `bench` that holds the benches which a revision came with. */
const OWN_BENCH = 'bench-of-revision'

export type Side = { readonly root: string; readonly node: string }

/**
 * Checks a revision out into `dir`, and puts the benches of `here` over its own, so that one instrument measures both. It gets
 * the same packages, or those of its own lock file if that differs.
 */
export async function checkOut(revision: string, here: Side, dir: string, signal: AbortSignal): Promise<Side> {
  const commit = await run('git', ['rev-parse', '--verify', '--quiet', `${revision}^{commit}`], {
    cwd: here.root,
  }).catch(() => undefined)
  if (!commit) throw new Error(`--against takes a revision of git, and there is no "${revision}".`)
  await run('git', ['worktree', 'add', '--detach', dir, revision], { cwd: here.root, signal })
  if (existsSync(join(dir, BENCH))) renameSync(join(dir, BENCH), join(dir, 'test', OWN_BENCH))
  cpSync(join(here.root, BENCH), join(dir, BENCH), { recursive: true })
  const lockOf = (root: string) => readFileSync(join(root, 'package-lock.json'), 'utf8')
  if (lockOf(dir) === lockOf(here.root)) {
    symlinkSync(join(here.root, 'node_modules'), join(dir, 'node_modules'))
    return { ...here, root: dir }
  }
  await run('npm', ['ci'], { cwd: dir, signal })
  return { root: dir, node: join(dir, 'node_modules/.bin/node') }
}

/** Removes a revision that was checked out, if one was. */
export async function removeCheckOut({ root }: Side, dir: string): Promise<void> {
  if (existsSync(dir)) await run('git', ['worktree', 'remove', '--force', dir], { cwd: root })
}

export async function commitOf({ root }: Side): Promise<string> {
  const { stdout } = await run('git', ['describe', '--always', '--dirty', '--exclude=*', '--abbrev=8'], { cwd: root })
  return stdout.trim()
}

type TurnOptions = { readonly temporary: string; readonly signal: AbortSignal; readonly ownBench?: boolean }

/** Runs a bench in a process of its own. Rejects with what the process wrote last if it ends without rows. */
export async function takeTurn(side: Side, bench: string, options: TurnOptions): Promise<readonly Measure[]> {
  const { temporary, signal, ownBench = false } = options
  signal.throwIfAborted()
  const child = fork(join(side.root, BENCH, 'turn.ts'), ownBench ? [bench, OWN_BENCH] : [bench], {
    cwd: side.root,
    execPath: side.node,
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const stop = () => child.kill()
  signal.addEventListener('abort', stop)
  let rows: readonly Measure[] | undefined
  let written = ''
  child.once('message', (message) => (rows = message as Measure[]))
  child.stderr?.on('data', (chunk) => {
    written = `${written}${chunk}`.slice(-2_000)
    process.stderr.write(chunk)
  })
  await once(child, 'close')
  signal.removeEventListener('abort', stop)
  signal.throwIfAborted()
  if (!rows) throw new Error(/^\w*Error.*$/m.exec(written)?.[0] ?? (written.trim() || 'The bench ended without rows.'))
  return rows
}
