import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Release } from '../../contracts/records.ts'
import { codecFor } from '../../journal/codec.ts'
import { localRegistry } from '../../journal/registry.ts'
import { accepted, candidate, testProvenance, testSeries } from '../support/releases.ts'

const copy = { holder: 'test.example', url: null, revision: null, held_on: '2026-01-02', is_transcribed: false }
const provenance = fc.option(
  fc.record({
    publisher: fc.constantFrom('Test office', 'Another office'),
    url: fc.constantFrom('https://test.example/t1.csv', 'file:t1.csv'),
    licence: fc.constant('none'),
    retrieved_at: fc.constantFrom(testProvenance.retrieved_at, '2026-01-16T11:00:00.000Z'),
    sha256: fc.constantFrom('a'.repeat(64), 'b'.repeat(64)),
    location: fc.nat({ max: 99 }).map((line) => `line ${line}`),
    copy: fc.constantFrom(null, copy, { ...copy, held_on: '2026-01-03' }),
    file: fc.constantFrom(null, { name: 't1.csv', sha256: 'c'.repeat(64) }),
  }),
)
const releases = fc.array(
  fc.record({
    release: fc
      .tuple(fc.constantFrom('USA', 'DEU'), fc.constantFrom('2025-01', '2025-02'), fc.constantFrom('1', '2'))
      .map(([country, period, value]) => accepted(candidate(testSeries({ country }), period, { value }))),
    provenance,
    released_on: fc.constantFrom('2026-01-10', '2026-01-11'),
    // An id says all about a series. If one did not, its members would still be those that were written.
    unit: fc.constantFrom('index', 'percent'),
  }),
)

it('what releases share changes none of them', async () => {
  await fc.assert(
    fc.asyncProperty(releases, async (drawn) => {
      const codec = await codecFor('releases', localRegistry())
      const written = drawn.map(({ release, unit, ...over }): Release => {
        return { ...release, ...over, series: { ...release.series, unit } }
      })
      const decoded = await Promise.all(written.map((release) => codec.decode(codec.encode(release))))
      expect(decoded).toEqual(written)
    }),
  )
})

it('releases share their series, and a copy that holds their document, also past a derived one', async () => {
  const codec = await codecFor('releases', localRegistry())
  const read = async (country: string, document: Release['provenance']) => {
    const release = accepted(candidate(testSeries({ country }), '2025-01', { value: '1' }))
    return codec.decode(codec.encode({ ...release, provenance: document }))
  }
  const held = { ...testProvenance, copy }
  const [first, derived, other, last] = [
    await read('USA', held),
    await read('DEU', null),
    await read('DEU', { ...held, location: 'line 3' }),
    await read('USA', { ...held, sha256: 'b'.repeat(64) }),
  ]
  expect(last.series).toBe(first.series)
  expect(other.series).toBe(derived.series)
  expect(other.provenance?.copy).toBe(first.provenance?.copy)
  expect(last.provenance).toMatchObject({ sha256: 'b'.repeat(64), location: 'line 2' })
})
