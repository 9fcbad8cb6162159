import type { Release } from '../../contracts/records.ts'
import type { FigureBoard } from '../../domain/figure-board.ts'
import type { NewestRecords } from '../../domain/newest-records.ts'
import type { ReleaseIndex } from '../../domain/release-index.ts'
import { sharingOf } from '../../journal/shared-members.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import type { CheckpointStore } from '../../processors/checkpoint.ts'

/** Figures of the api in memory. */
type Boards = {
  readonly figures: FigureBoard
  readonly releaseIndex: ReleaseIndex
  readonly newestRecords: NewestRecords
}

type State = {
  readonly releases: readonly Release[]
  readonly recordedAt: string
  readonly index: ReturnType<ReleaseIndex['plain']>
  readonly newest: NewestRecords['plain']
}

const NAME = 'figures'

/**
 * Raise it when the boards make something else of releases, or a release has another shape: a checkpoint of another version is
 * not used. `test/cli/figures-checkpoint.test.ts` compares the state of a fixed history.
 */
const VERSION = 2

/**
 * Fills empty boards from the newest checkpoint, and returns the offset of the next release; 0 if there is none that can be used.
 * One that is ahead of the journal is of another copy of it.
 */
export async function loadFigures(
  checkpoints: CheckpointStore,
  journal: TypedJournal,
  { figures, releaseIndex, newestRecords }: Boards,
): Promise<number> {
  const saved = await checkpoints.load(NAME, 0, VERSION)
  const offset = saved?.offsets.releases ?? 0
  // Without a journal that answers, the boards are filled once it does.
  const end = await journal.bounds('releases', 0).then(
    ({ end }) => end,
    () => 0,
  )
  if (!saved || offset > end) return 0
  // A cast, because a checkpoint of this version holds it.
  const { releases, recordedAt, index, newest } = saved.state as State
  const share = sharingOf('releases')
  for (const release of releases) share?.(release)
  figures.restore(releases, recordedAt)
  releaseIndex.restore(index)
  newestRecords.restore(newest)
  return offset
}

/** Keeps the boards, which have all releases before `offset`. Rejects if the file cannot be written. */
export const saveFigures = (
  checkpoints: CheckpointStore,
  { figures, releaseIndex, newestRecords }: Boards,
  offset: number,
): Promise<void> => {
  const state: State = {
    releases: [...figures.releases()],
    recordedAt: figures.recordedAt,
    index: releaseIndex.plain(),
    newest: newestRecords.plain,
  }
  return checkpoints.save(NAME, 0, { version: VERSION, offsets: { releases: offset }, state })
}
