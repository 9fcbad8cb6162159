import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Journal, TopicSettings } from '../../../journal/journal.ts'
import { record } from '../../contracts/support/journal-world.ts'
import { createByAdmin } from '../../support/kafka-topics.ts'
import type { KafkaWorld } from './kafka-world.ts'

/** Topics that a journal takes for its own, misses or refuses. */
export function topicSuite(world: KafkaWorld): void {
  const { open, remove } = world

  describe('topics', () => {
    const KEPT: TopicSettings = { partitions: 2, cleanup: 'delete', retentionMs: null }

    /** A journal of its own, with a topic that holds a record, closed. */
    async function journalWithRecord() {
      const prefix = `${randomUUID()}.`
      const topic = `${prefix}kept`
      const journal = await open({ prefix })
      await journal.ensureTopics({ [topic]: KEPT })
      await journal.append({ topic, partition: 1, records: [record('kept')] })
      await journal.close()
      return { prefix, topic, id: journal.id }
    }

    it('that were deleted are missed, and not made anew before somebody says so by making them', async () => {
      const { prefix, topic } = await journalWithRecord()
      await remove(topic)
      const journal = await open({ prefix })
      const other = `${prefix}other`
      await expect(journal.ensureTopics({ [topic]: KEPT, [other]: KEPT })).rejects.toMatchObject({
        code: 'topic_lost',
        message: expect.stringContaining(topic),
      })
      expect((await world.admin.listTopics()).filter((name) => [topic, other].includes(name))).toEqual([])
      await createByAdmin(world.admin, { topic, numPartitions: 2 })
      await journal.ensureTopics({ [topic]: KEPT, [other]: KEPT })
      expect(await journal.bounds({ topic, partition: 1 })).toEqual({ start: 0, end: 0 })
    })

    it('with records are not taken over by a journal that begins when its own topic was deleted', async () => {
      const { prefix, topic, id } = await journalWithRecord()
      await remove(`${prefix}journal`)
      for (let start = 0; start < 2; start++) {
        const journal = await open({ prefix })
        expect(journal.id).not.toBe(id)
        await expect(journal.ensureTopics({ [topic]: KEPT })).rejects.toMatchObject({
          code: 'foreign_records',
          message: expect.stringMatching(`${topic} hold.*${prefix}journal`),
        })
      }
    })

    it('are one journal’s, though several begin it at once, one of them writing before another has seen them', async () => {
      const prefix = `${randomUUID()}.`
      const names = Array.from({ length: 4 }, (_, i) => `${prefix}${i}`)
      const begin = async (journal: Journal) => {
        for (const topic of names) {
          await journal.ensureTopics({ [topic]: KEPT })
          await journal.append({ topic, partition: 0, records: [record('')] })
        }
      }
      const journals = await Promise.all(Array.from({ length: 4 }, () => open({ prefix })))
      await Promise.all(journals.map(begin))
      for (const topic of names)
        expect(await journals[0]?.bounds({ topic, partition: 0 })).toEqual({ start: 0, end: 4 })
    })
  })
}
