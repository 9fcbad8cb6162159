import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { decideRelease } from '../../domain/decide-release.ts'
import { asKnown, type KnownRelease } from '../../domain/prints.ts'
import { heldOf } from '../../ingest/plausible.ts'
import { chunks } from '../../ingest/publications.ts'
import { openSources } from '../../ingest/sources/index.ts'
import { describeShared, sharedPath } from '../support/shared-data.ts'

const sources = openSources()
const at = '2026-11-23T00:00:00.000Z'
type File = { readonly source: string; readonly path: string; readonly dataset?: string }

/** Reads files into one record, as the acceptor does; returns the number of figures and what was held. */
async function judged(files: readonly File[]) {
  const known = new Map<string, Map<string, KnownRelease>>()
  const held: string[] = []
  let figures = 0
  for (const { source, path, dataset } of files) {
    const request = { files: [path], ...(dataset ? { datasets: [dataset] } : {}), now: () => new Date(at) }
    for await (const document of sources[source]?.fetch(request) ?? []) {
      for await (const chunk of chunks(sources[source]?.parse(document) ?? [])) {
        const found = heldOf(chunk, (series) => known.get(series))
        held.push(...found.map((group) => `${group.reason} ${group.figures[0]?.series.id}: ${group.figures.length}`))
        const withheld = new Set(found.flatMap((group) => group.figures))
        for (const item of chunk) {
          if ((item.kind !== 'figure' && item.kind !== 'missing') || withheld.has(item)) continue
          figures++
          const { series, period, released } = item
          const periods = known.get(series.id) ?? new Map<string, KnownRelease>()
          known.set(series.id, periods)
          const printed = item.kind === 'missing' ? null : item.figures
          const candidate = { series, period, printed, released, provenance: null, inputs: [] }
          const decision = decideRelease(periods.get(period), candidate, at)
          if ('release' in decision) periods.set(period, asKnown(decision.release, periods.get(period)))
        }
      }
    }
  }
  return { figures, held }
}

it('nothing of the bundled sample is held', async () => {
  const folder = join(import.meta.dirname, '../../sample/figures')
  const files = readdirSync(folder)
    .sort()
    .map((name) => ({ source: 'file', path: join(folder, name) }))
  const { figures, held } = await judged(files)
  expect(held).toEqual([])
  expect(figures).toBeGreaterThan(11_000)
})

describeShared('recorded figures', () => {
  it('of consumer prices of the whole world, with every hyperinflation, are believed', async () => {
    const path = sharedPath('marina-alekseevna+financial-markets/data/WS_LONG_CPI_csv_col.csv')
    const { figures, held } = await judged([{ source: 'bis', path }])
    expect(held).toEqual([])
    expect(figures).toBe(43_267)
  }, 60_000)

  it('of unemployment of a hundred countries are believed', async () => {
    const path = sharedPath('mvanaltvorst+seminar/assets/unemployment-ilo.csv')
    const { figures, held } = await judged([{ source: 'ilo', path, dataset: 'UNE_DEAP_SEX_AGE_RT_Q' }])
    expect({ figures, held }).toEqual({ figures: 6_831, held: [] })
  })

  it('of GDP in all its vintages are believed', async () => {
    const path = sharedPath('gw-moore+pyfredapi/tests/vhs/test_series/test_get_series_all_releases_json.01.json')
    expect(await judged([{ source: 'fred', path, dataset: 'GDP' }])).toEqual({ figures: 3_199, held: [] })
  })

  it('of GDP contradict a file named GDP that has GDP at constant prices', async () => {
    const constant = { source: 'fred', path: sharedPath('knutsu+FIE463-V26/data/FRED/GDP.csv') }
    const path = sharedPath('sivamsapingali+Codex_Macro-Monitor/data/GDP.csv')
    const { held } = await judged([constant, { source: 'fred', path, dataset: 'GDP' }])
    expect(held).toEqual(['held_scale USA.gdp.Q.FRED.GDP.USD.SA.annualized: 183'])
  })
})
