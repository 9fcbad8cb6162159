/** The embedded journal as something to be copied, and what is left of it then. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { CopiedClaim, CopySource } from '../copy.ts'
import { type Environment, openEnvironment } from './environment.ts'
import { openEmbeddedJournal } from './journal.ts'
import { type JournalRow, type Store, stateKey } from './store.ts'

/** Who copies owns this name meanwhile; it isn't copied itself. */
export const COPY_CLAIM = 'journal/copy'

export type EmbeddedCopySource = CopySource & {
  readonly moved: JournalRow['moved']
  /** The journal is here (again). */
  unmark(): Promise<void>
  close(): Promise<void>
}

/** Undefined if there is no journal in `dir`. */
export async function openCopySource(dir: string): Promise<EmbeddedCopySource | undefined> {
  if (!existsSync(join(dir, 'data.mdb'))) return undefined
  const journal = await openEmbeddedJournal({ dir, evenIfMoved: true })
  const environment = await openEnvironment({ dir })
  const row = () => environment.snapshot((store) => store.journal()) as JournalRow
  return {
    journal,
    get moved() {
      return row().moved
    },
    claims: () => environment.snapshot(claimsIn),
    isAlone: () => environment.isAlone(),
    markMoved: (to) => write(environment, { ...row(), moved: { to, at: new Date().toISOString() } }),
    unmark: () => {
      const { moved: _, ...rest } = row()
      return write(environment, rest)
    },
    close: async () => {
      await journal.close()
      await environment.close()
    },
  }
}

const write = (environment: Environment, row: JournalRow): Promise<void> =>
  environment.write((tx) => tx.put(stateKey.journal, row))

function claimsIn(store: Store): readonly CopiedClaim[] {
  const places = store.topics().flatMap(({ name, row }) =>
    Array.from({ length: row.partitions }, (_, partition) => ({
      place: `${name}/${partition}`,
      log: row.firstLog + partition,
    })),
  )
  return store
    .claims()
    .filter(({ name }) => name !== COPY_CLAIM)
    .map(({ name, row }) => {
      const positions = places.flatMap(({ place, log }) => {
        const offset = store.position(name, log)
        return offset === undefined ? [] : [[place, offset] as const]
      })
      return { name, epoch: row.epoch, positions: Object.fromEntries(positions) }
    })
}
