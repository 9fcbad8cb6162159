import { join } from 'node:path'
import { open, type RootDatabase } from 'lmdb'
import { CommitGate } from '../../base/lmdb/commit-gate.ts'
import { createForOwner, makeDirectory } from '../../base/lmdb/owner.ts'
import { assertSoundLmdb, isUnchangedSinceClose, noteClosed } from '../../base/lmdb/soundness.ts'
import { assertUsableFiles, filesOf } from '../../base/lmdb/usable-files.ts'
import { AccessError } from '../error.ts'
import type { AccessEngine } from './engine.ts'

const DATABASES: ReadonlySet<string> = new Set(['quota', 'revocations', 'leases', 'tickets'])

const MAP_BYTES = 256 * 1024 * 1024

/**
 * Opens the LMDB environment in `dir`, and creates its databases if they do not exist. Rejects with AccessError
 * `unavailable` if the directory cannot be used.
 */
export async function openLmdb(dir: string): Promise<AccessEngine> {
  try {
    makeDirectory(dir)
    assertUsableFiles(dir)
    const gate = new CommitGate(join(dir, 'processes'))
    try {
      const root = await gate.exclusively(() => {
        if (!gate.hasOthers() && !isUnchangedSinceClose(dir)) assertSoundLmdb(dir, DATABASES)
        return createForOwner(filesOf(dir), () => openRoot(dir))
      })
      return await gate
        .committing(async () => engineOn(dir, root, gate))
        .catch(async (error) => {
          await gate.exclusively(() => root.close())
          throw error
        })
    } catch (error) {
      gate.close()
      throw error
    }
  } catch (cause) {
    throw new AccessError('unavailable', `cannot open ${dir} (${cause instanceof Error ? cause.message : cause})`, {
      cause,
    })
  }
}

/** Opens the databases, and creates in one commit those that do not exist. */
const engineOn = (dir: string, root: RootDatabase, gate: CommitGate): AccessEngine => ({
  quota: root.openDB({ name: 'quota', encoding: 'json' }),
  revocations: root.openDB({ name: 'revocations', encoding: 'json' }),
  leases: root.openDB({ name: 'leases', encoding: 'json' }),
  tickets: root.openDB({ name: 'tickets', encoding: 'json' }),
  async transaction(group) {
    try {
      return await gate.committing(() => root.transaction(group))
    } catch (cause) {
      // A failed commit, as on a full disk, also rejects this second promise. Left unhandled, it would end the process.
      // The error itself is `cause`, which every caller receives. A cast, because the types of lmdb lack `commitError`.
      const { commitError } = cause as { commitError?: Promise<unknown> }
      commitError?.catch(() => undefined)
      throw cause
    }
  },
  // If `decide` throws, LMDB undoes only a nested transaction.
  nested: (decide) => root.transactionSync(decide),
  async close() {
    try {
      await gate.exclusively(async () => {
        await root.close()
        if (!gate.hasOthers()) noteClosed(dir)
      })
    } finally {
      gate.close()
    }
  },
})

function openRoot(dir: string): RootDatabase {
  const root = open({
    path: dir,
    noSubdir: false,
    mapSize: MAP_BYTES,
    maxDbs: 8,
    // Off: every visible write is durable, and a failed commit has written nothing.
    overlappingSync: false,
    // Off: batching creates promises that no code can handle when a commit fails.
    eventTurnBatching: false,
  })
  root.readerCheck()
  return root
}
