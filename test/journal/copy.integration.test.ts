import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codecFor, schemaIdOf, UndecodableRecord } from '../../journal/codec.ts'
import { ForeignSchemaError, schemaTranslation } from '../../journal/copy-schemas.ts'
import { CopyRefusedError, type SourceSide, termsOf } from '../../journal/copy-terms.ts'
import type { StoredRecord } from '../../journal/journal.ts'
import { batchesAt } from '../../journal/kafka/copy-batches.ts'
import { batchesIn, countOf, sealBatch } from '../../journal/kafka/record-batch.ts'
import { localRegistry, releasedSchemas, type SchemaRegistry } from '../../journal/registry.ts'
import { record } from '../contracts/support/journal-world.ts'
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
    await expect(translate('releases', [ofEvents])).rejects.toThrow(
      `schema ${events} of the source's registry is no released version`,
    )
    await expect(translate('releases', [stored(Buffer.from([0, 0, 0, 3, 9]))])).rejects.toThrow(
      'releases: no schema with id 777',
    )
    await expect(translate('releases', [stored(Buffer.from([0, 0]))])).rejects.toThrow(UndecodableRecord)
  })
})

describe('the terms of a copy', () => {
  const source: SourceSide = {
    id: 'J',
    generations: [],
    copy: { id: 'C', to: 'there' },
    isMoved: false,
    ends: { 'a/0': 3, 'b/0': 0 },
  }
  const unfinished = { id: 'J', copy: { id: 'C', registry: '' } }
  const finished = { id: 'J', copy: { id: 'C', registry: '', ends: { 'a/0': 3 } } }
  it.each([
    ['nothing there', source, undefined, 'begin'],
    ['nothing there, nothing begun', { ...source, copy: undefined }, undefined, 'begin'],
    ['the same, unfinished', source, unfinished, 'go on'],
    ['the same, unfinished, moved', { ...source, isMoved: true }, unfinished, 'go on'],
    ['the same, finished', { ...source, isMoved: true }, finished, 'done'],
    ['the same, finished, killed before the mark', source, finished, 'done'],
  ])('%s', (_, from, to, terms) => expect(termsOf(from, to, '')).toBe(terms))
  it.each([
    [
      'nothing there, but moved',
      { ...source, isMoved: true },
      undefined,
      'has moved to there; the target has no copy of it',
    ],
    ['another journal', source, { id: 'K' }, 'already holds another journal, K'],
    ['the same journal, not by a copy', source, { id: 'J' }, 'from a copy that the source has no record of'],
    ['by another copy', source, { ...unfinished, copy: { id: 'D', registry: '' } }, 'the source has no record of'],
    ['a restored backup', { ...source, copy: undefined }, finished, 'the source has no record of'],
    ['gone on since', { ...source, ends: { 'a/0': 4 } }, finished, 'a/0 ended at 3, now at 4'],
    ['gone on in a new topic', { ...source, ends: { 'a/0': 3, 'b/0': 1 } }, finished, 'b/0 ended at 0, now at 1'],
    [
      'another registry',
      source,
      { ...unfinished, copy: { id: 'C', registry: 'r' } },
      "begun with the schema registry r; it can't go on with the released schemas",
    ],
  ])('refused: %s', (_, from, to, why) => {
    expect(() => termsOf(from, to, '')).toThrow(CopyRefusedError)
    expect(() => termsOf(from, to, '')).toThrow(why)
  })
})

it('batches give records the offsets that they have, and fillers the others', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.nat(3), fc.nat(3_000), fc.nat(250_000)), { maxLength: 5 }),
      fc.nat(5),
      fc.boolean(),
      (holes, at, keyed) => {
        let next = at
        const records = holes.slice(1).map((hole, i) => {
          const one = { ...stored(Buffer.from(`${i}`), next + hole), key: keyed ? `k${i}` : null }
          next = one.offset + 1
          return one
        })
        const to = next + (holes[0] ?? 0)
        let end = at
        const read: StoredRecord[] = []
        for (const batch of batchesAt(at, records, to, keyed, 4_000_000)) {
          sealBatch(batch, { producerId: 1n, epoch: 0, sequence: 0 }, false)
          batch.writeBigInt64BE(BigInt(end), 0)
          end += countOf(batch)
          for (const raw of batchesIn(batch)) for (const { record } of raw.records()) read.push(record)
        }
        expect(end).toBe(to)
        expect(read).toEqual(records)
      },
    ),
    { numRuns: 50 },
  )
})
