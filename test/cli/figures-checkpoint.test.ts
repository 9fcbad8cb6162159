import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { loadFigures, saveFigures } from '../../cli/processes/figures-checkpoint.ts'
import { startMemory } from '../../cli/processes/memory.ts'
import type { Release } from '../../contracts/records.ts'
import { deriveFrom, nothingDerived } from '../../domain/derive/fold.ts'
import { FigureBoard } from '../../domain/figure-board.ts'
import { Lineage } from '../../domain/lineage.ts'
import { NewestRecords } from '../../domain/newest-records.ts'
import { ReleaseIndex } from '../../domain/release-index.ts'
import { loadConfig } from '../../infra/config.ts'
import { type CheckpointStore, fileCheckpoints } from '../../processors/checkpoint.ts'
import { documents, publicationsOf } from '../support/dated-documents.ts'
import { appendReleases, Grown, journalOf } from '../support/growth.ts'
import { openTestJournal } from '../support/journal.ts'

type Boards = {
  readonly figures: FigureBoard
  readonly releaseIndex: ReleaseIndex
  readonly newestRecords: NewestRecords
}

const emptyBoards = (): Boards => ({
  figures: new FigureBoard(),
  releaseIndex: new ReleaseIndex(),
  newestRecords: new NewestRecords(),
})

function apply({ figures, releaseIndex, newestRecords }: Boards, releases: readonly Release[]): void {
  for (const release of releases) {
    newestRecords.note(releaseIndex.count, release)
    figures.apply(release)
    releaseIndex.apply(release)
  }
}

/** All that the boards know, in an order that does not depend on how they came to know it. */
function knownBy({ figures, releaseIndex, newestRecords }: Boards) {
  const byId = (a: Release, b: Release) => (a.release_id < b.release_id ? -1 : 1)
  const { series, current, ...rest } = releaseIndex.plain()
  return {
    figures: [...figures.releases()].sort(byId),
    recordedAt: figures.recordedAt,
    size: figures.size,
    newestRecords: newestRecords.plain,
    series: releaseIndex.series().length > 0 ? [...series.values()] : [],
    current: [...current.values()].sort(byId),
    ...rest,
  }
}

/** Keeps the newest checkpoint in memory, in the way of a file. */
function kept(): CheckpointStore & { readonly saves: number } {
  let [saved, saves]: [Parameters<CheckpointStore['save']>[2] | undefined, number] = [undefined, 0]
  return {
    load: async (_, __, version) => (saved?.version === version ? structuredClone(saved) : undefined),
    async save(_, __, checkpoint) {
      saves++
      saved = structuredClone(checkpoint)
    },
    get saves() {
      return saves
    },
  }
}

/** Releases with revisions, withdrawals, and derived ones that are late, redated and voided. */
function releasesOf(publications: readonly (readonly Release[])[]): Release[] {
  const state = nothingDerived()
  return publications.flatMap((published) => [...published, ...deriveFrom(state, published)])
}

describe('a checkpoint of the figures in memory', () => {
  it('gives the boards of any history, which go on as others do', async () => {
    const { journal } = await openTestJournal()
    await fc.assert(
      fc.asyncProperty(documents, fc.double({ min: 0, max: 1, noNaN: true }), async ({ inOrder }, share) => {
        const releases = releasesOf(publicationsOf(inOrder))
        const at = Math.floor(releases.length * share)
        const [boards, loaded, checkpoints] = [emptyBoards(), emptyBoards(), kept()]
        apply(boards, releases.slice(0, at))
        await saveFigures(checkpoints, boards, 0)
        expect(await loadFigures(checkpoints, journal, loaded)).toBe(0)
        expect(knownBy(loaded)).toEqual(knownBy(boards))
        apply(boards, releases.slice(at))
        apply(loaded, releases.slice(at))
        expect(knownBy(loaded)).toEqual(knownBy(boards))
      }),
      { numRuns: 20 },
    )
  })

  it('is that of this version: a change of what the boards make of releases needs another version', async () => {
    const histories = fc.sample(documents, { seed: 1, numRuns: 3 })
    const releases = histories.flatMap(({ inOrder }) => releasesOf(publicationsOf(inOrder)))
    for (const member of ['voids', 'redates'] as const)
      expect(releases.filter((release) => release[member] !== null).length).toBeGreaterThan(1)
    const boards = emptyBoards()
    apply(boards, releases)
    let saved: unknown
    const checkpoints: CheckpointStore = {
      load: async () => undefined,
      async save(...checkpoint) {
        saved = structuredClone(checkpoint)
      },
    }
    await saveFigures(checkpoints, boards, 7)
    const plain = (_: string, value: unknown) => (value instanceof Map || value instanceof Set ? [...value] : value)
    const text = JSON.stringify(saved, plain)
    expect(createHash('sha256').update(text).digest('hex').slice(0, 16)).toBe('3e96b974541de801')
  })
})

describe('a start of the api', () => {
  async function opened(releases: readonly Release[]) {
    const { journal, directory, readsOf } = await journalOf(releases)
    const checkpoints = fileCheckpoints(directory, new Lineage(journal))
    const stop = new AbortController()
    const warnings: string[] = []
    async function start(store: CheckpointStore = checkpoints) {
      const tasks: Promise<unknown>[] = []
      const memory = startMemory({
        config: loadConfig({}),
        journal,
        lifecycle: { signal: stop.signal, run: (_, task) => void tasks.push(task) },
        checkpoints: store,
        log: { warn: (_: unknown, message?: string) => void warnings.push(message ?? '') },
        worthKeeping: 100,
      })
      await memory.loaded
      return memory
    }
    return { journal, checkpoints, readsOf, start, warnings, stop: () => stop.abort() }
  }
  const grown = new Grown()
  const [all, next] = [grown.releases(24, 3), grown.published('USA', '2026-09', '2026-10', 2)]

  it('reads only the releases since the last one that read many', async () => {
    const { journal, readsOf, start, stop } = await opened(all)
    const first = await start()
    await appendReleases(journal, next)
    const reads = await readsOf(async () => {
      const second = await start()
      while (first.newest.releases < second.newest.releases) await setImmediate()
      expect(knownBy(second)).toEqual(knownBy(first))
      expect(second.newest).toEqual(first.newest)
    })
    // Both starts follow the journal.
    expect(reads).toBeLessThanOrEqual(2 * next.length)
    stop()
  })

  it('reads all of them if the checkpoint cannot be read', async () => {
    const { checkpoints, start, warnings, stop } = await opened(all)
    const memory = await start({ ...checkpoints, load: () => Promise.reject(new Error('no permission')) })
    expect(memory.figures.size).toBeGreaterThan(100)
    expect(warnings).toEqual(['the checkpoint of the figures in memory could not be read'])
    stop()
  })

  it('reads all of them if the checkpoint is ahead of the journal, and goes on if none can be written', async () => {
    const { journal, checkpoints, start, warnings, stop } = await opened(all)
    const { end } = await journal.bounds('releases', 0)
    await saveFigures(checkpoints, emptyBoards(), end + 1)
    const full: CheckpointStore = { ...checkpoints, save: () => Promise.reject(new Error('no space left')) }
    const memory = await start(full)
    expect(memory.figures.size).toBeGreaterThan(100)
    expect(warnings).toEqual(['the checkpoint of the figures in memory could not be written'])
    stop()
  })
})
