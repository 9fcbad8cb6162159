import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { expect, it, onTestFinished } from 'vitest'
import type { HistoricPrice } from '../../contracts/records.ts'
import type { Price } from '../../ingest/source.ts'
import { parsePinkSheet } from '../../ingest/sources/pink-sheet/parse.ts'
import { testDocument } from '../support/documents.ts'
import { temporaryDirectory, until } from '../support/journal.ts'
import { almanac, startService } from '../support/service.ts'
import { describeShared, sharedData, sharedPath } from '../support/shared-data.ts'

const RECORDED = 'rejaneol+iron_ore_price_forecasting/data/CMO-Historical-Data-Monthly.xlsx'
const RESTATED_MONTHS = 32

const goldOf = (bytes: Uint8Array): Price[] =>
  parsePinkSheet(testDocument(bytes))
    .filter((item) => item.kind === 'price')
    .filter(({ symbol }) => symbol === 'XAU-USD')

/** The recorded edition as one of a month later that restates gold in months before the newest one. All its new prices are invented. */
function laterEdition(recorded: Uint8Array): Uint8Array {
  const parts = unzipSync(recorded)
  const cells = new Map(
    goldOf(recorded)
      .slice(-1 - RESTATED_MONTHS, -1)
      .map(({ location }, n) => [location.replace('Monthly Prices, ', ''), `${3000 + n}.5`]),
  )
  const edited = Object.entries(parts).map(([path, bytes]): [string, Uint8Array] => {
    if (path.endsWith('sharedStrings.xml'))
      return [path, strToU8(strFromU8(bytes).replace('Updated on September 02, 2021', 'Updated on October 04, 2021'))]
    if (!path.startsWith('xl/worksheets/sheet')) return [path, bytes]
    const cell = /(<c r="([A-Z]+\d+)"[^>]*><v>)([^<]*)(?=<\/v>)/g
    return [
      path,
      strToU8(strFromU8(bytes).replace(cell, (all, head, place) => (cells.has(place) ? head + cells.get(place) : all))),
    ]
  })
  return zipSync(Object.fromEntries(edited))
}

describeShared('a later edition of the Pink Sheet', () => {
  it('restates past months in candles and journal, and leaves quote, events and stream alone', async () => {
    const dataDir = await temporaryDirectory()
    const service = await startService(dataDir, { ALMANAC_DEMO: '0', ALMANAC_TICKS_FLUSH_MS: '100' })
    onTestFinished(() => service.destroy())
    const run = (...args: string[]) => almanac(args, { ALMANAC_DATA_DIR: dataDir })
    const { key } = JSON.parse((await run('keys', 'create', '--plan', 'pro', '--owner', 'TEST', '--json')).stdout)
    /** Asks until there is an answer: polling exceeds the calls of a minute, and the first prices have yet to come. */
    const text = async (path: string): Promise<string> => {
      let body = ''
      await until(
        `an answer of ${path}`,
        async () => {
          const answer = await fetch(`${service.base}${path}`, { headers: { authorization: `Bearer ${key}` } })
          body = await answer.text()
          if (!answer.ok) await setTimeout(500)
          return answer.ok
        },
        90_000,
      )
      return body
    }
    const monthly = async (start: string) => {
      const body = await text(`/v1/prices/XAU-USD/candles?interval=1M&start=${start}&limit=1000`)
      return (JSON.parse(body) as { candles: { close: string; ticks: number }[] }).candles
    }
    const records = async (topic: string) => (await run('replay', topic)).stdout

    const recorded = sharedPath(RECORDED)
    const first = await run('ingest', 'pink-sheet', recorded)
    expect(first, first.stderr).toMatchObject({ code: 0 })
    expect(first.stdout).toMatch(/^total: 14888 prices$/m)
    const gold = goldOf(sharedData(RECORDED))
    await until('the candles have the first edition', async () => (await monthly('2018-01-01')).length === 44, 90_000)
    await until('its newest price is quoted', async () =>
      (await text('/v1/commodities/spot/XAU/USD')).includes('1785.28'),
    )

    const unmoved = async () => ({
      quote: await text('/v1/commodities/spot/XAU/USD'),
      quotes: await records('quotes'),
      signals: await records('signals'),
      events: await records('events'),
    })
    const before = await unmoved()
    const later = join(await temporaryDirectory(), 'later.xlsx')
    await writeFile(later, laterEdition(sharedData(RECORDED)))
    const second = await run('ingest', 'pink-sheet', later)
    expect(second.stdout).toMatch(
      new RegExp(`^total: ${14888 - RESTATED_MONTHS} unchanged, ${RESTATED_MONTHS} restated$`, 'm'),
    )

    const closes = (prices: readonly string[]) => prices.map((close) => ({ close, ticks: 1 }))
    const restated = Array.from({ length: RESTATED_MONTHS }, (_, n) => `${3000 + n}.5`)
    const expected = [...gold.slice(-44, -1 - RESTATED_MONTHS).map(({ printed }) => printed), ...restated, '1785.28']
    const shown = async () => (await monthly('2018-01-01')).map(({ close, ticks }) => ({ close, ticks }))
    await until(
      'the candles have the later edition',
      async () => (await shown()).some(({ close }) => close === '3000.5'),
      60_000,
    )
    expect(await shown()).toEqual(closes(expected))

    const history = (await records('price_history'))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => (JSON.parse(line) as { value: HistoricPrice }).value)
    const former = gold.slice(-1 - RESTATED_MONTHS, -1).map(({ printed }) => printed)
    const restatements = history.filter(({ restates }) => restates !== null)
    expect(restatements.map(({ price, restates }) => [price, restates])).toEqual(restated.map((p, n) => [p, former[n]]))
    expect(restatements[0]).toMatchObject({ released_on: '2021-10-04', url: 'file:later.xlsx', symbol: 'XAU-USD' })

    expect((await run('ingest', 'pink-sheet', later)).stdout).toMatch(/^total: 14888 unchanged$/m)
    expect((await run('ingest', 'pink-sheet', recorded)).stdout).toMatch(/^total: 14888 unchanged$/m)
    expect(await unmoved()).toEqual(before)
    const verified = await run('verify')
    expect(verified, verified.stdout).toMatchObject({ code: 0 })
  }, 300_000)
})
