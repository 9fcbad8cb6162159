import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { candidateOf, heldForReview } from '../../ingest/accept/figures-decider.ts'
import { RecordedFigures } from '../../ingest/accept/recorded-figures.ts'
import { chunks } from '../../ingest/accept/transaction.ts'
import type { Item } from '../../ingest/source.ts'
import { openSources } from '../../ingest/sources/index.ts'
import { openEmbeddedTestJournal } from '../support/embedded-journal.ts'
import { describeShared, sharedPath } from '../support/shared-data.ts'

const sources = await openSources()
const at = '2026-11-23T00:00:00.000Z'
type File = { readonly source: string; readonly path: string; readonly dataset?: string }

/** Reads files into one record, as the acceptor does, with the figures of one source multiplied; says what was held. */
async function judged(files: readonly File[], multiplied?: { readonly source: string; readonly times: number }) {
  const { journal } = await openEmbeddedTestJournal()
  const recorded = new RecordedFigures(journal)
  recorded.prepareFor('all')
  const held: string[] = []
  let figures = 0
  for (const { source, path, dataset } of files) {
    const request = { files: [path], ...(dataset ? { datasets: [dataset] } : {}), now: () => new Date(at) }
    for await (const document of sources[source]?.fetch(request) ?? []) {
      for await (const parsed of chunks(sources[source]?.parse(document) ?? [])) {
        const chunk = source === multiplied?.source ? parsed.map((item) => times(item, multiplied.times)) : parsed
        const found = heldForReview(document, chunk, recorded, at)
        held.push(...found.map((group) => `${group.reason} ${group.figures[0]?.series.id}: ${group.figures.length}`))
        const withheld = new Set(found.flatMap((group) => group.figures))
        for (const item of chunk) {
          if ((item.kind !== 'figure' && item.kind !== 'missing') || withheld.has(item)) continue
          figures++
          recorded.decide(candidateOf(document, item), at)
        }
      }
    }
  }
  return { figures, held }
}

function times(item: Item, multiplier: number): Item {
  if (item.kind !== 'figure') return item
  const figures = Object.entries(item.figures).map(([member, { printed }]) => [
    member,
    { printed: String(Number(printed) * multiplier) },
  ])
  return { ...item, figures: Object.fromEntries(figures) }
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
  })

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

  const unemployment: readonly File[] = [
    {
      source: 'ilo',
      path: sharedPath('mvanaltvorst+seminar/assets/unemployment-ilo.csv'),
      dataset: 'UNE_DEAP_SEX_AGE_RT_Q',
    },
    {
      source: 'oecd',
      path: sharedPath('AnkitApurv+hackathon23_somnolence/data/raw/third_party/oecd/Unemployment_Rate_OECD.csv'),
    },
    { source: 'fred', path: sharedPath('codejoncode+congenial-fortnight/data/LRHUTTTTDEM156S.csv') },
    { source: 'fred', path: sharedPath('knutsu+FIE463-V26/data/FRED/UNRATE.csv') },
  ]
  const prices: readonly File[] = [
    { source: 'bis', path: sharedPath('marina-alekseevna+financial-markets/data/WS_LONG_CPI_csv_col.csv') },
    { source: 'bls', path: sharedPath('nolan-cummins+is445_final/data/cu.data.1.AllItems.txt') },
  ]

  it.each([
    ['unemployment', unemployment],
    ['consumer prices', prices],
  ])('of %s by several sources agree, whichever is read first', async (_, files) => {
    expect(await judged(files)).toMatchObject({ held: [] })
    expect(await judged(files.toReversed())).toMatchObject({ held: [] })
  })

  it('of a source that is read first contradict other sources at a multiple', async () => {
    const [ilo, oecd, germany] = unemployment
    if (!ilo || !oecd || !germany) return expect.fail('files are missing')
    expect((await judged([oecd, germany], { source: 'fred', times: 4 })).held).toEqual([
      'held_contradiction DEU.unemployment.M.FRED.LRHUTTTTDEM156S.percent.SA: 415',
    ])
    // Impossible in good part, so hardly anything of it is believed.
    const { figures } = await judged([oecd, ilo], { source: 'ilo', times: 10 })
    expect(figures - (await judged([oecd])).figures).toBeLessThan(0.1 * 6_831)
  })
})
