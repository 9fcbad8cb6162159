import { expect, it } from 'vitest'
import ids from '../../contracts/avro/ids.json' with { type: 'json' }
import { localRegistry, type SchemaRegistry } from '../../journal/registry.ts'
import { TypedJournal } from '../../journal/typed.ts'
import { openTestJournal } from '../support/journal.ts'
import { accepted, candidate, testSeries } from '../support/releases.ts'

/** The released schemas under other numbers: what one registry calls 7 is another topic's in the other, or nobody's. */
function numbered(change: (id: number) => number, back: (id: number) => number): SchemaRegistry {
  const local = localRegistry()
  return {
    register: async (topic, version) => change(await local.register(topic, version)),
    schema: (id) => local.schema(back(id)),
  }
}
/** Number of released schemas. */
const released = Object.keys(ids).length
const release = accepted(candidate(testSeries(), '2025-11', { value: '101.50' }))

it.each([
  [
    'unknown',
    numbered(
      (id) => id + 500,
      (id) => id - 500,
    ),
  ],
  [
    '“',
    numbered(
      (id) => (id % released) + 1,
      (id) => ((id + released - 2) % released) + 1,
    ),
  ],
])('a journal is not opened with another registry than it was written with: %s', async (found, other) => {
  const { journal, server } = await openTestJournal()
  const reopen = async (registry: SchemaRegistry) => {
    const bytes = server.open()
    return TypedJournal.open(bytes, registry).finally(() => bytes.close())
  }
  await expect(reopen(other)).resolves.toBeDefined()
  await journal.append('releases', 0, [{ value: release, id: release.release_id, at: 1 }])
  await expect(reopen(other)).rejects.toThrow('almanac.releases was written with another schema registry: schema')
  await expect(reopen(other)).rejects.toThrow(`of its oldest record is ${found}`)
  await expect(reopen(localRegistry())).resolves.toBeDefined()
})
