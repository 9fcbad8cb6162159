import { expect, test } from 'vitest'
import type { Release } from '../../contracts/records.ts'
import { publishedQueries } from '../../projections/views/published/query.ts'
import { vintages } from '../../projections/views/vintages/project.ts'
import { vintageQueries } from '../../projections/views/vintages/query.ts'
import { memoryPublished, memoryVintages } from '../support/memory-vintages.ts'
import { faultKinds } from '../world/faults.ts'
import { runWorld } from '../world/world.ts'
import { append, project, useWorlds } from './support/world.ts'

const COUNTRIES = ['AUS', 'CAN', 'FRA', 'GBR']

/** The releases of some worlds: revised, redated, withdrawn and voided ones, published and derived. */
async function releasesOfWorlds(): Promise<Release[]> {
  const all: Release[] = []
  // Each world has a country of its own, so that they do not mix.
  for (const [seed, country] of COUNTRIES.entries()) {
    const { evidence } = await runWorld({ seed, steps: 2_000, kinds: faultKinds })
    const own = evidence.records.filter(({ topic }) => topic === 'releases')
    // Cast: the published schema is that of the record.
    const text = JSON.stringify(own.map(({ value }) => value)).replaceAll('USA', country)
    all.push(...(JSON.parse(text) as Release[]).filter(({ series }) => series.country === country))
  }
  return all
}

const stored = useWorlds()

test('the reads of the vintages in memory answer as those of ClickHouse do', async () => {
  const releases = await releasesOfWorlds()
  expect(releases.some(({ voids }) => voids !== null)).toBe(true)
  expect(releases.some(({ redates }) => redates !== null)).toBe(true)
  expect(releases.some(({ figures, voids }) => voids === null && Object.keys(figures).length === 0)).toBe(true)
  const { journal, client } = await stored()
  const first = await append(journal, 'releases', releases)
  await project(vintages, { journal, client })
  const log = releases.map((release, i) => ({ offset: first + i, release }))

  const cells = new Map(releases.map(({ series }) => [series.id, series]))
  const days = [...new Set(releases.map(({ released_on }) => released_on))].sort()
  const someDays = ['', days[Math.floor(days.length / 3)] ?? '', days[Math.floor(days.length / 2)] ?? '']
  for (const until of someDays) {
    const [real, memory] = [vintageQueries(client, until), memoryVintages(() => log, until)]
    for (const { id, country, indicator } of cells.values()) {
      for (const snapshot of [Number.MAX_SAFE_INTEGER, first + Math.floor(releases.length / 2)]) {
        const where = `${id} until ${until} at ${snapshot}`
        expect(await memory.series(country, indicator, snapshot), where).toEqual(
          await real.series(country, indicator, snapshot),
        )
        const figures = indicator === 'cpi' ? ['value'] : ['year_over_year', 'month_over_month', 'year_to_date']
        const range = { series: [id], figures, needed: figures, snapshot, start: '2024-02', end: '', limit: 7 }
        for (const asOf of ['', days[5] ?? '']) {
          const asked = { ...range, after: null, asOf }
          const newestFirst = { ...asked, isNewestFirst: true }
          // Rows in memory have all members of a release, those of a query only what it names.
          expect(await memory.observations(asked), where).toMatchObject(await real.observations(asked))
          expect(await memory.observations(newestFirst), where).toMatchObject(await real.observations(newestFirst))
          expect(await memory.inForce(asked), where).toMatchObject(await real.inForce(asked))
        }
        const page = (await real.vintages({ ...range, after: null })) ?? []
        expect(await memory.vintages({ ...range, after: null }), where).toMatchObject(page)
        const last = page.at(-1)
        if (!last) continue
        const after = { period: last.period, figure: last.number, offset: last.offset }
        expect(await memory.vintages({ ...range, after }), where).toMatchObject(
          (await real.vintages({ ...range, after })) ?? [],
        )
      }
    }
    if (until === '') continue
    const [published, inMemory] = [publishedQueries(client, until), memoryPublished(() => log, until)]
    expect(await inMemory.cells(), until).toEqual(await published.cells())
    for (const country of COUNTRIES)
      expect(
        (await inMemory.releases(country)).map(({ release_id }) => release_id),
        until,
      ).toEqual((await published.releases(country)).map(({ release_id }) => release_id))
  }
  expect(await memoryVintages(() => log).watermark()).toBe(await vintageQueries(client).watermark())
})
