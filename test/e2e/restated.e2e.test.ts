import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { expect, it, onTestFinished } from 'vitest'
import type { HistoricPrice, Quote } from '../../contracts/records.ts'
import type { Price } from '../../ingest/source.ts'
import { columns } from '../../ingest/sources/pink-sheet/columns.ts'
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

/** A restated price that is made up: 3 % more, less than what is held as another unit. */
const restatedFrom = (printed: string): string => String(Math.round(Number(printed) * 103) / 100)

/** Makes an edition of a month later that restates gold in months before the newest one. */
function laterEdition(recorded: Uint8Array): Uint8Array {
  const parts = unzipSync(recorded)
  const cells = new Map(
    goldOf(recorded)
      .slice(-1 - RESTATED_MONTHS, -1)
      .map(({ location, printed }) => [location.replace('Monthly Prices, ', ''), restatedFrom(printed)]),
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
    /** Asks, at most twice a second, until `isWanted`: a key has few calls a minute. */
    const text = async (path: string, isWanted: (body: string) => boolean = () => true): Promise<string> => {
      let body = ''
      await until(
        `what is wanted of ${path}`,
        async () => {
          const answer = await fetch(`${service.base}${path}`, { headers: { authorization: `Bearer ${key}` } })
          body = await answer.text()
          const isThere = answer.ok && isWanted(body)
          if (!isThere) await setTimeout(500)
          return isThere
        },
        120_000,
      )
      return body
    }
    const gold = goldOf(sharedData(RECORDED))
    /** Waits for the 44 monthly candles from 2018 on, with `one` among their closes. Returns closes and numbers of prices. */
    const monthly = async (one: string): Promise<{ close: string; ticks: number }[]> => {
      const candlesOf = (body: string): { close: string; ticks: number }[] => JSON.parse(body).candles
      const path = '/v1/prices/XAU-USD/candles?interval=1M&start=2018-01-01&limit=1000'
      const isWanted = (body: string) => {
        const candles = candlesOf(body)
        return candles.length === 44 && candles.some(({ close }) => close === one)
      }
      return candlesOf(await text(path, isWanted)).map(({ close, ticks }) => ({ close, ticks }))
    }
    const records = async (topic: string) => (await run('replay', topic)).stdout
    const valuesOf = async <T>(topic: string) =>
      (await records(topic))
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => (JSON.parse(line) as { value: T }).value)

    const recorded = sharedPath(RECORDED)
    const first = await run('ingest', 'pink-sheet', recorded)
    expect(first, first.stderr).toMatchObject({ code: 0 })
    expect(first.stdout).toMatch(/^total: 14888 prices$/m)
    const closes = (prices: readonly string[]) => prices.map((close) => ({ close, ticks: 1 }))
    expect(await monthly('1785.28')).toEqual(closes(gold.slice(-44).map(({ printed }) => printed)))
    const quoted = async () =>
      new Map((await valuesOf<Quote>('quotes')).map((quote) => [quote.symbol, quote.observed_at]))
    await until(
      'the newest price of each commodity is quoted',
      async () => {
        const times = [...(await quoted()).values()]
        return times.length === columns.length && times.every((at) => at === '2021-08-31T23:59:59.999Z')
      },
      60_000,
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

    const former = gold.slice(-1 - RESTATED_MONTHS, -1).map(({ printed }) => printed)
    const restated = former.map(restatedFrom)
    const expected = [...gold.slice(-44, -1 - RESTATED_MONTHS).map(({ printed }) => printed), ...restated, '1785.28']
    expect(await monthly(restated[0] ?? '')).toEqual(closes(expected))

    const restatements = (await valuesOf<HistoricPrice>('price_history')).filter(({ restates }) => restates !== null)
    expect(restatements.map(({ price, restates }) => [price, restates])).toEqual(restated.map((p, n) => [p, former[n]]))
    expect(restatements[0]).toMatchObject({ released_on: '2021-10-04', url: 'file:later.xlsx', symbol: 'XAU-USD' })

    expect((await run('ingest', 'pink-sheet', later)).stdout).toMatch(/^total: 14888 unchanged$/m)
    expect((await run('ingest', 'pink-sheet', recorded)).stdout).toMatch(/^total: 14888 unchanged$/m)
    expect(await unmoved()).toEqual(before)
    const verified = await run('verify')
    expect(verified, verified.stdout).toMatchObject({ code: 0 })
  }, 300_000)
})
