import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Longer than a check of a journal of many GB takes. */
const PATIENCE_MS = 600_000

/**
 * Whether the journal and the access store can be used, asked of a process of its own (`almanac journal check`), because
 * LMDB may end it. Undefined: they are sound, or the process could not tell.
 */
export async function diagnoseFiles(): Promise<string | undefined> {
  const program = fileURLToPath(new URL('./almanac.ts', import.meta.url))
  const child = spawn(process.execPath, [program, 'journal', 'check'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: PATIENCE_MS,
    killSignal: 'SIGKILL',
  })
  let said = ''
  child.stderr.on('data', (chunk) => (said += chunk))
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => {
    child.on('error', () => resolve([null, null]))
    child.on('close', (code, signal) => resolve([code, signal]))
  })
  if (code === 2)
    return said
      .trimEnd()
      .split('\n')
      .at(-1)
      ?.replace(/^almanac: /, '')
  const isCrash = signal !== null && signal !== 'SIGKILL' && signal !== 'SIGTERM'
  return isCrash
    ? `the journal or the access store is damaged (a check of them ended with ${signal}): ${BRING_BACK}`
    : undefined
}

const BRING_BACK = 'bring back a backup of ALMANAC_DATA_DIR, or set another to begin anew'
