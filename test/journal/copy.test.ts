import { describe, expect, it } from 'vitest'
import { codecFor, schemaIdOf, UndecodableRecord } from '../../journal/codec.ts'
import { runsOf } from '../../journal/copy.ts'
import { ForeignSchemaError, schemaTranslation } from '../../journal/copy-schemas.ts'
import type { StoredRecord } from '../../journal/journal.ts'
import { localRegistry, releasedSchemas, type SchemaRegistry, UnknownSchemaError } from '../../journal/registry.ts'
import { record } from '../contracts/journal-contract.ts'
import { accepted, candidate, testSeries } from '../support/releases.ts'

/** The released schemas under other numbers, as a registry that somebody else uses too gives them. */
function shifted(by: number): SchemaRegistry {
  const local = localRegistry()
  return {
    register: async (topic, version) => (await local.register(topic, version)) + by,
    schema: (id) => local.schema(id - by),
  }
}

const stored = (value: Uint8Array, offset = 0): StoredRecord => ({
  ...record('', { headers: { a: 'b' } }),
  value,
  offset,
})
const release = accepted(candidate(testSeries(), '2025-11', { value: '101.50' }))

describe('the schemas of a copied journal', () => {
  it('are those of the other registry, and all else of a value stays', async () => {
    const [from, to] = [localRegistry(), shifted(700_000)]
    const value = (await codecFor('releases', from)).encode(release)
    const translate = schemaTranslation(from, to)
    const [copied] = await translate('releases', [stored(value)])
    expect(schemaIdOf('releases', copied?.value as Uint8Array)).toBe(await to.register('releases'))
    expect(Buffer.from(copied?.value as Uint8Array).subarray(5)).toEqual(Buffer.from(value).subarray(5))
    expect(copied).toMatchObject({ headers: { a: 'b' }, key: stored(value).key, timestamp: stored(value).timestamp })
    expect(await (await codecFor('releases', to)).decode(copied?.value as Uint8Array)).toEqual(release)
    expect(schemaIdOf('releases', value)).toBe(await from.register('releases'))
  })
  it('are of the version that the value was written with', async () => {
    const translate = schemaTranslation(shifted(3), shifted(70))
    for (const { topic, version, id } of releasedSchemas()) {
      const value = Buffer.from([0, 0, 0, 0, id + 3, 1, 2])
      const [copied] = await translate(topic, [stored(value)])
      expect([...(copied?.value ?? [])], `${topic} ${version}`).toEqual([0, 0, 0, 0, id + 70, 1, 2])
    }
  })
  it('are refused where they are not of the topic, or not known', async () => {
    const translate = schemaTranslation(localRegistry(), shifted(1))
    const events = await localRegistry().register('events')
    const ofEvents = stored(Buffer.from([0, 0, 0, 0, events]))
    await expect(translate('releases', [ofEvents])).rejects.toThrow(ForeignSchemaError)
    await expect(translate('releases', [ofEvents])).rejects.toThrow(`schema ${events} of the registry is none`)
    await expect(translate('releases', [stored(Buffer.from([0, 0, 0, 3, 9]))])).rejects.toThrow(UnknownSchemaError)
    await expect(translate('releases', [stored(Buffer.from([0, 0]))])).rejects.toThrow(UndecodableRecord)
  })
})

it('records are copied in runs without a hole', () => {
  const at = (offset: number) => stored(new Uint8Array(), offset)
  const offsets = [3, 4, 5, 7, 9, 10].map(at)
  expect(runsOf(offsets).map((run) => run.map(({ offset }) => offset))).toEqual([[3, 4, 5], [7], [9, 10]])
  expect(runsOf([])).toEqual([])
})
