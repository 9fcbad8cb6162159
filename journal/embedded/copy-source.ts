/** The embedded journal as the source of a copy, and the mark that it keeps of the copy. */
import type { CopySource } from '../copy.ts'
import type { Journal } from '../journal.ts'
import { claimsIn, logsOf } from './cut.ts'
import { openEnvironment } from './environment.ts'
import { openEmbeddedJournal } from './journal.ts'
import { type JournalRow, type Store, stateKey } from './store.ts'

/** Claim that a running copy holds. It is not copied itself. */
export const COPY_CLAIM = 'journal/copy'

export type EmbeddedCopySource = CopySource & {
  readonly journal: Journal
  /** Records the id and destination of the copy that begins. */
  bind(copy: { id: string; to: string }): Promise<void>
  /** Names of all topics, and whether anything was ever written to them. */
  topics(): readonly { readonly name: string; readonly isEmpty: boolean }[]
  /** Removes the mark of a finished copy: the journal takes writes again, and the same copy may go on. */
  unmark(): Promise<void>
  /** Removes every mark and gives the journal a new id, which is returned: it takes writes as a journal of its own. */
  fork(): Promise<string>
  close(): Promise<void>
}

type Copy = NonNullable<JournalRow['copy']>

/** Opens the journal in `dir` for copying, even if it has been moved. Throws what `openEmbeddedJournal` throws. */
export async function openCopySource(dir: string): Promise<EmbeddedCopySource> {
  const journal = await openEmbeddedJournal({ dir, evenIfMoved: true, create: false })
  const environment = await openEnvironment({ dir })
  // Cast, here and in `change`: `openEmbeddedJournal` has returned, so the journal has its row.
  const row = () => environment.snapshot((store) => store.journal()) as JournalRow
  const change = (to: (row: JournalRow) => JournalRow): Promise<void> =>
    environment.write((tx) => tx.put(stateKey.journal, to(tx.store.journal() as JournalRow)))
  const changeCopy = (to: (copy: Copy) => Copy) =>
    change(({ copy, ...rest }) => (copy ? { ...rest, copy: to(copy) } : rest))
  let closed: Promise<void> | undefined
  return {
    journal,
    get side() {
      const { id, generations = [], copy } = row()
      return { id, generations, copy, isMoved: copy?.movedAt !== undefined }
    },
    topics: () => environment.snapshot(topicsIn),
    claims: () => environment.snapshot(claimsIn).filter(({ name }) => name !== COPY_CLAIM),
    isAlone: () => environment.isAlone(),
    bind: (copy) => change((row) => ({ ...row, copy })),
    markMoved: () => changeCopy((copy) => ({ ...copy, movedAt: new Date(environment.time.now()).toISOString() })),
    unmark: () => changeCopy(({ id, to }) => ({ id, to })),
    fork: async () => {
      const id = environment.time.uuid()
      await change(({ format }) => ({ format, id }))
      return id
    },
    close: () => {
      closed ??= journal.close().then(() => environment.close())
      return closed
    },
  }
}

const topicsIn = (store: Store) =>
  Array.from(
    Map.groupBy(logsOf(store), ({ name }) => name),
    ([name, logs]) => ({ name, isEmpty: logs.every(({ log }) => store.bounds(log).end === 0) }),
  )
