import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Exit code of `almanac journal check` where it finds damage. */
export const DAMAGED = 4
/** Longer than a check of a journal of many GB takes. */
const PATIENCE_MS = 600_000

/**
 * Whether the journal and the access store can be used, asked of a process of its own (`almanac journal check`), because
 * LMDB may end it. Undefined: they are sound, or there are none, or the process could not tell. Whatever else it finds, such
 * as a wrong setting, is for the restarted process to say.
 */
export async function diagnoseFiles(signal: AbortSignal): Promise<string | undefined> {
  const program = fileURLToPath(new URL('./almanac.ts', import.meta.url))
  const child = spawn(process.execPath, [program, 'journal', 'check'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: PATIENCE_MS,
    signal,
    killSignal: 'SIGKILL',
  })
  let said = ''
  child.stderr.on('data', (chunk) => (said += chunk))
  const [code, endedBy] = await new Promise<[number | null, string | null]>((resolve) => {
    child.on('error', () => resolve([null, null]))
    child.on('close', (code, signal) => resolve([code, signal]))
  })
  if (code === DAMAGED)
    return said
      .trimEnd()
      .split('\n')
      .at(-1)
      ?.replace(/^almanac: /, '')
  const isCrash = endedBy !== null && endedBy !== 'SIGKILL' && endedBy !== 'SIGTERM'
  return isCrash
    ? `the journal or the access store is damaged (a check of them ended with ${endedBy}): ${BRING_BACK}`
    : undefined
}

const BRING_BACK = 'bring back a backup of ALMANAC_DATA_DIR, or set another to begin anew'
