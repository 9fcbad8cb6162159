import { describe, expect, it } from 'vitest'
import { codecFor, confluentValue, UndecodableRecord } from '../../journal/codec.ts'
import { releasedVersions } from '../../journal/copy-schemas.ts'
import type { StoredRecord } from '../../journal/journal.ts'
import { type PortableRecord, portableDecoder, portableRecords, storedRecords } from '../../journal/portable-records.ts'
import { localRegistry, releasedSchemas, type SchemaRegistry } from '../../journal/registry.ts'
import { accepted, candidate, testSeries } from '../support/releases.ts'

const release = accepted(candidate(testSeries(), '2025-11', { value: '101.50' }))

/** The released schemas under other numbers, as another registry has them; it fails as often as it is told. */
function otherRegistry(failures = 0): SchemaRegistry {
  const local = localRegistry()
  let left = failures
  return {
    register: async (topic, version) => (await local.register(topic, version)) + 500,
    schema: async (id) => {
      if (left-- > 0) throw new Error('registry away')
      return local.schema(id - 500)
    },
  }
}

const stored = (value: Uint8Array): StoredRecord => ({ offset: 7, key: null, timestamp: 5, headers: { a: 'b' }, value })

describe('a portable record', () => {
  it('goes to a journal with another registry and back, byte for byte', async () => {
    for (const { topic, version, id } of releasedSchemas()) {
      const there = stored(confluentValue(id + 500, Buffer.from([1, 2, 3])))
      const portable = await portableRecords(topic, [there], releasedVersions(otherRegistry()))
      expect(portable).toMatchObject([{ offset: 7, key: null, timestamp: 5, headers: { a: 'b' }, schema: version }])
      expect([...(portable[0]?.body ?? [])]).toEqual([1, 2, 3])
      expect(await storedRecords(otherRegistry())(topic, portable)).toEqual([there])
      expect((await storedRecords(localRegistry())(topic, portable))[0]?.value).toEqual(
        confluentValue(id, Buffer.from([1, 2, 3])),
      )
    }
  })
  it('is found again after a failure of the registry', async () => {
    const find = releasedVersions(otherRegistry(1))
    const id = await otherRegistry().register('events')
    await expect(find('events', id)).rejects.toThrow('registry away')
    expect(await find('events', id)).toBe(1)
  })
  it('decodes with the schema of its version', async () => {
    const value = (await codecFor('releases', localRegistry())).encode(release)
    const [record] = await portableRecords('releases', [stored(value)], releasedVersions(localRegistry()))
    expect(portableDecoder('releases')(record as PortableRecord)).toEqual(release)
    const earlier = { ...(record as PortableRecord), body: Buffer.from([0, 0, 0]) }
    expect(() => portableDecoder('releases')(earlier)).toThrow(UndecodableRecord)
    expect(() => portableDecoder('releases')({ ...earlier, schema: 99 })).toThrow('no schema of version 99')
  })
  it('of an older version has the members of this release', () => {
    // access.1 has no account and no kind.
    const text = (s: string) => Buffer.concat([Buffer.from([2 * s.length]), Buffer.from(s)])
    const body = Buffer.concat([
      ...['key_1', 'h', 'pro', 'me'].map(text),
      Buffer.from([0]),
      text('active'),
      text('2026-01-01T00:00:00.000Z'),
      Buffer.from([0]),
    ])
    const record = { offset: 0, key: null, timestamp: 0, headers: {}, schema: 1, body }
    expect(portableDecoder('access')(record)).toMatchObject({ key_id: 'key_1', plan: 'pro', account: null, kind: null })
  })
})
