import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Release } from '../../contracts/records.ts'
import { openClickHouse } from '../../projections/clickhouse.ts'
import { vintages } from '../../projections/views/vintages/project.ts'
import { vintageQueries } from '../../projections/views/vintages/query.ts'
import { accepted, candidate, flowSeries } from '../support/releases.ts'
import { append, project, rows, runProjector, until, useWorlds } from './support/world.ts'

const world = useWorlds()

/** A whole history, as it is known now. */
const open = { start: '', end: '', after: null, asOf: '', limit: 100 }

const nasty = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(
    '',
    ' ',
    "'",
    '"',
    '\\',
    '\\N',
    'NULL',
    'null',
    '\0',
    '\t\r\n',
    '{}',
    '[1]',
    '\u2028',
    '٣',
    '💶',
    '{x:String}',
  ),
)
const instant = fc
  .date({ min: new Date('1970-01-01'), max: new Date('2200-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString())
const decimals = fc.dictionary(fc.stringMatching(/^[a-z_' "]{1,8}$/), nasty, { maxKeys: 4, noNullPrototype: true })
const series = fc.record({
  id: fc.constantFrom('A', 'a', "A'", 'A\\', 'Ä', 'B', ''),
  ...Object.fromEntries(
    ['indicator', 'country', 'frequency', 'source', 'dataset', 'unit', 'seasonal_adjustment', 'annualization'].map(
      (member) => [member, nasty],
    ),
  ),
  base_period: nasty,
  base_value: nasty,
  derivation: nasty,
}) as unknown as fc.Arbitrary<Release['series']>
const release: fc.Arbitrary<Release> = fc.record({
  release_id: nasty,
  series,
  period: fc.constantFrom('2024-01', '2024-02', '2024-Q1', '2024', ''),
  figures: decimals,
  published: decimals,
  revises: fc.option(nasty),
  released_on: nasty,
  released_on_basis: nasty as fc.Arbitrary<Release['released_on_basis']>,
  recorded_at: instant,
  provenance: fc.option(
    fc.record({
      publisher: nasty,
      url: nasty,
      licence: nasty,
      retrieved_at: fc.oneof(instant, fc.constant('')),
      sha256: nasty,
      location: nasty,
      copy: fc.option(
        fc.record({
          holder: nasty,
          url: fc.option(nasty),
          revision: fc.option(nasty),
          held_on: fc.option(nasty),
          is_transcribed: fc.boolean(),
        }),
      ),
      file: fc.option(fc.record({ name: nasty, sha256: nasty })),
    }),
  ),
  inputs: fc.array(nasty, { maxLength: 3 }),
  late: fc.boolean(),
  redates: fc.option(nasty),
  voids: fc.option(nasty),
  approval: fc.option(fc.record({ held_for: nasty, because: nasty, input_id: nasty })),
})

describe('vintages', () => {
  test('give back each release exactly as the journal has it', async () => {
    const { journal, client } = await world()
    const drawn = fc.sample(release, { numRuns: 600, seed: Number(process.env.ALMANAC_TEST_SEED ?? 7) })
    const many = drawn.map((each, i) => ({ ...each, release_id: `rel_${i}` }))
    await append(journal, 'releases', many)
    await project(vintages, { journal, client })
    for (let i = 0; i < many.length; i += 50) {
      const some = many.slice(i, i + 50)
      const read = await vintageQueries(client).byIds(some.map(({ release_id }) => release_id))
      const byId = new Map(read.map((each) => [each.release_id, each]))
      expect(some.map(({ release_id }) => byId.get(release_id))).toEqual(some)
    }
    // Every vintage is there, the superseded ones too.
    const [{ n } = { n: 0 }] = await rows<{ n: number }>(client, 'SELECT count() AS n FROM vintages FINAL')
    expect(n).toBe(many.length)
  })

  test('page through a history on one snapshot while revisions arrive', async () => {
    const { journal, client } = await world()
    const queries = vintageQueries(client)
    const exports = flowSeries('trade-exports')
    const periods = Array.from(
      { length: 24 },
      (_, i) => `${2023 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')}`,
    )
    const first = periods.map((period, i) => accepted(candidate(exports, period, { value: `${1000 + i}` })))
    await append(journal, 'releases', first)
    const running = runProjector(vintages, { journal, client, intervalMs: 10 })
    await running.projector.caughtUp

    const newest = async () => (await queries.series('USA', 'trade-exports', Number.MAX_SAFE_INTEGER))[0]?.newest ?? -1
    const range = { ...open, series: [exports.id], figures: ['value'], needed: ['value'], snapshot: await newest() }
    const read: { period: string; value: string }[] = []
    for (let round = 0; ; round++) {
      const last = read.at(-1)
      const after = last ? { period: last.period, figure: 1, offset: 0 } : null
      const page = await queries.observations({ ...range, after, limit: 5 })
      if (page.length === 0) break
      read.push(...page)
      const revised = first.map((known, i) =>
        accepted(candidate(exports, known.period, { value: `${round}${i}7.5` }), known),
      )
      const late = accepted(candidate(exports, `2022-${String(round + 1).padStart(2, '0')}`, { value: '1' }))
      const offset = (await append(journal, 'releases', [...revised, late])) + revised.length
      await until(async () => (await queries.watermark()) === offset)
    }
    expect(read).toMatchObject(
      first.map(({ period, figures }) => ({ period, number: 1, value: figures.value, place: 1 })),
    )

    const ranged = await queries.observations({
      ...range,
      snapshot: await newest(),
      start: '2022-03',
      end: '2023-01',
    })
    expect(ranged.map(({ period, value }) => [period, value])).toEqual([
      ['2022-03', '1'],
      ['2022-04', '1'],
      ['2022-05', '1'],
      ['2023-01', '407.5'],
    ])
    // Newest first, page by page, the same entries.
    const all = await queries.observations({ ...range, limit: 100 })
    const reversed: typeof all = []
    for (let after: Parameters<typeof queries.observations>[0]['after'] = null; ; ) {
      const page = await queries.observations({ ...range, after, limit: 5, isNewestFirst: true })
      if (page.length === 0) break
      reversed.push(...page)
      after = { period: page.at(-1)?.period ?? '', figure: 1, offset: 0 }
    }
    expect(reversed).toEqual(all.toReversed())
    await running.stop()
  })

  test('say which series there are at a snapshot, and how far they are', async () => {
    const { journal, client } = await world()
    const queries = vintageQueries(client)
    await project(vintages, { journal, client })
    expect(await queries.watermark()).toBeUndefined()
    expect(await queries.series('USA', 'trade-exports', 9)).toEqual([])
    expect(await queries.byIds(['rel_0'])).toEqual([])

    const [a, b] = [flowSeries('trade-exports'), flowSeries('trade-imports')]
    const early = accepted(candidate(a, '2024-01', { value: '1' }), undefined, '2026-01-01T00:00:00.001Z')
    const later = accepted(candidate(b, '2024-01', { value: '2' }), undefined, '2026-01-02T00:00:00.002Z')
    await append(journal, 'releases', [early, later])
    await project(vintages, { journal, client })
    expect(await queries.watermark()).toBe(1)
    expect(await queries.series('USA', 'trade-exports', 9)).toEqual([
      { ...a, firstReleasedOn: '2026-01-01', newest: 0, recordedAt: '2026-01-01T00:00:00.001Z' },
    ])
    expect(await queries.series('USA', 'trade-imports', 0)).toEqual([])
    expect(await queries.series('USA', 'trade', 9)).toEqual([])
    const none = { ...open, series: ['none'], figures: ['value'], needed: ['value'], snapshot: 9 }
    expect(await queries.observations(none)).toEqual([])
    expect(await queries.vintages(none)).toEqual([])
    const own = { ...none, series: [a.id] }
    const after = { period: '2024-01', figure: 1, offset: 0 }
    expect(await queries.vintages(own)).toMatchObject([{ period: '2024-01', value: '1', offset: 0 }])
    expect(await queries.vintages({ ...own, after })).toEqual([])
    expect(await queries.vintages({ ...own, after: { ...after, offset: 1 } })).toBeUndefined()
  })

  test('answer what was known on a day, as table.sql says', async () => {
    const { journal, client } = await world()
    const exports = flowSeries('trade-exports')
    const january = accepted(candidate(exports, '2024-01', { value: '10.50' }), undefined, '2024-03-01T00:00:00.000Z')
    const february = accepted(candidate(exports, '2024-02', { value: '11' }), undefined, '2024-04-01T00:00:00.000Z')
    const revised = accepted(candidate(exports, '2024-01', { value: '10.70' }), january, '2024-04-01T00:00:00.000Z')
    await append(journal, 'releases', [january, february, revised])
    await project(vintages, { journal, client })
    const knownOn = (day: string) =>
      rows(
        client,
        `SELECT period, figures['value'] AS value FROM vintages
         WHERE series = '${exports.id}' AND recorded_at < '${day}' AND NOT _marker
         ORDER BY period, _offset DESC LIMIT 1 BY period`,
      )
    expect(await knownOn('2024-03-15')).toEqual([{ period: '2024-01', value: '10.50' }])
    expect(await knownOn('2024-05-01')).toEqual([
      { period: '2024-01', value: '10.70' },
      { period: '2024-02', value: '11' },
    ])
  })

  test('say `unavailable` where ClickHouse is away', async () => {
    const client = openClickHouse({ url: 'http://127.0.0.1:1' })
    await expect(vintageQueries(client).watermark()).rejects.toMatchObject({
      name: 'ProblemError',
      code: 'unavailable',
    })
    await client.close()
  })
})
