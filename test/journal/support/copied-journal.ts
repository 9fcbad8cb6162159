/** An embedded journal as the source of a copy, and what is written to it. */
import { type EmbeddedCopySource, openCopySource } from '../../../journal/embedded/copy-source.ts'
import { openEmbeddedJournal } from '../../../journal/embedded/journal.ts'
import type { Claim, Journal, PartitionAddress, TopicSettings } from '../../../journal/journal.ts'
import { record } from '../../contracts/support/journal-world.ts'
import { onTestFinished } from '../../support/concurrent.ts'
import { temporaryDirectory } from '../../support/journal.ts'

export const settings = (prefix: string): Record<string, TopicSettings> => ({
  [`${prefix}kept`]: { partitions: 2, cleanup: 'delete', retentionMs: null },
  [`${prefix}aged`]: { partitions: 1, cleanup: 'delete', retentionMs: 1_000 },
  [`${prefix}newest`]: { partitions: 1, cleanup: 'compact', retentionMs: null },
})
export const addressesOf = (topics: Readonly<Record<string, TopicSettings>>): PartitionAddress[] =>
  Object.entries(topics).flatMap(([topic, { partitions }]) =>
    Array.from({ length: partitions }, (_, partition) => ({ topic, partition })),
  )

/** Under another prefix at the source than on Kafka. */
export const SOURCE = 'source.'

export async function openSource() {
  const dir = await temporaryDirectory()
  const journal = await openEmbeddedJournal({ dir })
  await journal.ensureTopics(settings(SOURCE))
  const source = (await openCopySource(dir)) as EmbeddedCopySource
  onTestFinished(async () => {
    await journal.close()
    await source.close()
  })
  return { dir, journal, source }
}

/** Appends, transactions with positions, changes of owner, compaction and retention. */
export async function writeAtRandom(journal: Journal, random: () => number, steps: number): Promise<void> {
  const whole = (below: number) => Math.floor(random() * below)
  const places = addressesOf(settings(SOURCE))
  const place = () => places[whole(places.length)] as PartitionAddress
  const records = () =>
    Array.from({ length: 1 + whole(4) }, () =>
      record(`${whole(1e6)}`, { key: `k${whole(3)}`, timestamp: 1_000 + whole(3_000), headers: { n: `${whole(9)}` } }),
    )
  let claim: Claim | undefined
  for (let step = 0; step < steps; step++) {
    const choice = random()
    if (choice < 0.4) await journal.append({ ...place(), records: records() })
    else if (choice < 0.9) {
      claim ??= await journal.claim(`owner-${whole(2)}`)
      const writes = [place(), place()].map((address) => ({ ...address, records: records() }))
      await journal.transact(claim, writes, [{ ...place(), offset: whole(50) }])
    } else if (choice < 0.95) {
      await claim?.release()
      claim = undefined
    } else await journal.retain(2_000 + whole(2_000))
  }
  await claim?.release()
}
