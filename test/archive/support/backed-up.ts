/** A journal to back up, what its backup is restored into, and the comparison of both. */
import { join } from 'node:path'
import { expect } from 'vitest'
import { Archive } from '../../../archive/archive.ts'
import { backUp } from '../../../archive/back-up.ts'
import type { ArchivedCut } from '../../../archive/cut.ts'
import { DirectoryStore } from '../../../archive/directory.ts'
import { openRestoreSource } from '../../../archive/restore-source.ts'
import { topicNames, topics } from '../../../contracts/topics.ts'
import { judgeEventCursor } from '../../../domain/cursor.ts'
import { Lineage } from '../../../domain/lineage.ts'
import { cursorAt } from '../../../domain/served-event.ts'
import { type CopyRequest, type CopyTarget, copyJournal, endsOf } from '../../../journal/copy.ts'
import { openEmbeddedCopyTarget } from '../../../journal/embedded/copy-target.ts'
import type { Claim, TopicSettings } from '../../../journal/journal.ts'
import { topicSettings } from '../../../journal/layout.ts'
import type { PortableRecord } from '../../../journal/portable-records.ts'
import { localRegistry, type SchemaRegistry } from '../../../journal/registry.ts'
import type { TypedJournal } from '../../../journal/typed.ts'
import { openEmbeddedTestJournal } from '../../support/embedded-journal.ts'
import { temporaryDirectory } from '../../support/journal.ts'
import { eventNumber } from '../../support/journal-records.ts'
import { AT, places, writeSome } from './archived-journal.ts'
import { plainRecord } from './records.ts'

const MARKETS = ['XLON', 'XNYS', 'XTKS']

const sessionDraft = (n: number) => ({
  value: {
    market: MARKETS[n % MARKETS.length] as string,
    market_session: 'open' as const,
    since: new Date(AT + n).toISOString(),
    tick_partition: 1,
    tick_offset: n,
  },
  id: `ses_${n}`,
  at: AT + n,
})

/** Writes as the service does: plain appends, transactions with positions, and newer records of the same keys. */
export async function writeAsService(journal: TypedJournal, claim: Claim, from: number, count: number): Promise<void> {
  await writeSome(journal, from, count)
  for (let n = from; n < from + count; n++) {
    const event = { value: eventNumber(n), id: `evt_${n}`, at: AT + n }
    const writes = [journal.writeOf('events', 0, [event]), journal.writeOf('sessions', 0, [sessionDraft(n)])]
    await journal.transact(claim, writes, [journal.position('ticks', 1, n + 1)])
  }
}

const keepNone = { onProgress: () => undefined, onGap: () => undefined }

export async function backUpTo(directory: string, journal: TypedJournal, now = Date.now): Promise<ArchivedCut> {
  const archive = await Archive.openFor(new DirectoryStore(directory), journal, now())
  return backUp({ journal, archive, now, signal: new AbortController().signal, ...keepNone })
}

type OpenTarget = (request: CopyRequest) => Promise<CopyTarget>

export const embeddedTarget =
  (directory: string): OpenTarget =>
  (request) =>
    openEmbeddedCopyTarget(join(directory, 'journal'), request)

/** Restores a backup. Returns false if it had been restored before. */
export async function restoreFrom(
  directory: string,
  open: OpenTarget,
  { registry = localRegistry(), prefix = 'almanac.', registryAddress = '', signal = new AbortController().signal } = {},
): Promise<boolean> {
  const { source } = await openRestoreSource(
    await Archive.open(new DirectoryStore(directory)),
    registry as SchemaRegistry,
  )
  const settings = topicSettings(prefix)
  const copied = topicNames.map((topic) => ({
    from: topic,
    to: prefix + topic,
    settings: settings[prefix + topic] as TopicSettings,
  }))
  const target = await open({
    source: { ...source.side, ends: await endsOf(source.journal, copied) },
    registry: registryAddress,
    topics: settings,
    begin: async () => source.side.copy?.id ?? '',
  })
  try {
    if (target.isFinished) return false
    const options = { topics: copied, translate: async <R>(_: unknown, records: R) => records, ...keepNone, signal }
    await copyJournal(source, target, options)
    return true
  } finally {
    await target.close()
  }
}

/** What a journal holds: of compacted topics the newest record of each key, which is all that counts of them. */
export async function contentOf(journal: TypedJournal) {
  const { bounds, claims } = await journal.cut({})
  const partitions: Record<string, unknown> = {}
  for (const { topic, partition } of places) {
    const { start, end } = bounds[`${topic}/${partition}`] ?? { start: 0, end: 0 }
    const records: PortableRecord[] = []
    for (let at = start; at < end; ) {
      const batch = await journal.readPortable(topic, partition, at)
      records.push(...batch.records)
      at = batch.next
    }
    const isCompacted = topics[topic].cleanup === 'compact'
    const times = [records[0], records[records.length >> 1], records.at(-1)].map((record) => record?.timestamp ?? 0)
    const shown = isCompacted ? [...new Map(records.map((record) => [record.key, record])).values()] : records
    partitions[`${topic}/${partition}`] = {
      start,
      end,
      offsetsOfTimes: isCompacted
        ? []
        : await Promise.all(times.map((time) => journal.offsetForTime(topic, partition, time))),
      records: shown.toSorted((a, b) => a.offset - b.offset).map(plainRecord),
    }
  }
  const owners = claims.filter(({ name }) => name !== 'backup').toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return { id: journal.id, claims: owners, partitions }
}

/**
 * Expects of two journals, which had the same events before sequence `branch` and have others since, that each honours
 * the cursors of the other up to there, and refuses later ones with that place to go on from.
 */
export function expectBranch(one: TypedJournal, other: TypedJournal, branch: number, end: number): void {
  const judge = (issuer: TypedJournal, judging: TypedJournal, sequence: number) =>
    judgeEventCursor(cursorAt(new Lineage(issuer), sequence), { lineage: new Lineage(judging), first: 1, end })
  for (const [issuer, judging] of [
    [one, other],
    [other, one],
  ] as const) {
    for (const sequence of [1, branch]) expect(judge(issuer, judging, sequence)).toMatchObject({ sequence })
    for (const sequence of [branch + 1, end, end + 1])
      expect(judge(issuer, judging, sequence)).toMatchObject({ refused: 'cursor_superseded' })
    expect(judge(issuer, issuer, end)).toMatchObject({ sequence: end })
  }
  expect(judge(one, other, end)).toEqual({ refused: 'cursor_superseded', goOnAt: branch })
}

/** Takes backups while transactions from number `from` on are written, and expects each to be a later consistent moment. */
export async function expectMoments(
  backup: string,
  journal: TypedJournal,
  claim: Claim,
  { from, backups }: { readonly from: number; readonly backups: number },
): Promise<void> {
  let isWriting = true
  const writing = (async () => {
    for (let n = from; isWriting; n++) await writeAsService(journal, claim, n, 1)
  })()
  const seen: number[] = []
  try {
    for (let i = 0; i < backups; i++) {
      await backUpTo(backup, journal)
      const directory = await temporaryDirectory()
      await restoreFrom(backup, embeddedTarget(directory))
      const again = await openEmbeddedTestJournal(undefined, directory)
      seen.push(await expectConsistent(again.journal, claim.name))
      await again.journal.close()
    }
  } finally {
    isWriting = false
    await writing
  }
  expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b))
}

/** Expects a journal to be consistent: as many events and sessions as the position counts. */
async function expectConsistent(journal: TypedJournal, claim: string): Promise<number> {
  const { claims } = await journal.cut({})
  const { positions } = claims.find(({ name }) => name === claim) ?? { positions: {} as Record<string, number> }
  const done = positions['ticks/1'] ?? 0
  let events = 0
  for await (const { records } of journal.readToEnd('events', 0))
    events += records.filter(({ headers }) => headers['record-id']?.startsWith('evt_')).length
  expect(events).toBe(done)
  const sessions = new Map<string | null, number>()
  for await (const { records } of journal.readToEnd('sessions', 0))
    for (const { key, timestamp } of records) sessions.set(key, timestamp - AT)
  const newest = [done - 1, done - 2, done - 3].filter((n) => n >= 0)
  expect(new Set(sessions.values())).toEqual(new Set(newest))
  return done
}
