import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Exit code of `almanac journal check` if it finds damage. */
export const DAMAGED = 4
/** Longer than a check of a journal of many GB takes. */
const CHECK_TIMEOUT_MS = 600_000

/**
 * Checks the journal and the access store, and returns the damage as a sentence. The check is a process of its own
 * (`almanac journal check`), because LMDB may crash on damaged files. Returns undefined if the files are sound, if there are
 * none, or if the check could not tell. Other faults, such as a wrong setting, are reported by the restarted process.
 */
export async function diagnoseFiles(signal: AbortSignal): Promise<string | undefined> {
  const program = fileURLToPath(new URL('./almanac.mjs', import.meta.url))
  const child = spawn(process.execPath, [program, 'journal', 'check'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: CHECK_TIMEOUT_MS,
    signal,
    killSignal: 'SIGKILL',
  })
  let output = ''
  child.stderr.on('data', (chunk) => (output += chunk))
  const [code, endedBy] = await new Promise<[number | null, string | null]>((resolve) => {
    child.on('error', () => resolve([null, null]))
    child.on('close', (code, signal) => resolve([code, signal]))
  })
  if (code === DAMAGED)
    return output
      .trimEnd()
      .split('\n')
      .at(-1)
      ?.replace(/^almanac: /, '')
  const isCrash = endedBy !== null && endedBy !== 'SIGKILL' && endedBy !== 'SIGTERM'
  return isCrash
    ? `the journal or the access store is damaged (their check ended with ${endedBy}): ${RESTORE}`
    : undefined
}

const RESTORE = 'restore a backup of ALMANAC_DATA_DIR, or set another directory to start with an empty journal'
