import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { HistoricPrice, Quote } from '../../contracts/records.ts'
import type { Price } from '../../ingest/source.ts'
import { columns } from '../../ingest/sources/pink-sheet/columns.ts'
import { parsePinkSheet } from '../../ingest/sources/pink-sheet/parse.ts'
import { fixturePath } from '../ingest/sources/fixture.ts'
import { runCommand } from '../support/command.ts'
import { testDocument } from '../support/documents.ts'
import { temporaryDirectory, until } from '../support/journal.ts'
import { startService } from '../support/service.ts'

/** The last year of the recorded sheet: the months before it have gaps between them, over which prices move too far. */
const MONTHS = 12
const PRICES = MONTHS * columns.length
const RESTATED_MONTHS = 8
const HEADING_ROWS = 7

const goldOf = (bytes: Uint8Array): Price[] =>
  parsePinkSheet(testDocument(bytes))
    .filter((item) => item.kind === 'price')
    .filter(({ symbol }) => symbol === 'XAU-USD')

/** A restated price that is made up: 3 % more, less than what is held as another unit. */
const restatedFrom = (printed: string): string => String(Math.round(Number(printed) * 103) / 100)

const edited = (workbook: Uint8Array, edit: (xml: string) => string): Uint8Array =>
  zipSync(
    Object.fromEntries(
      Object.entries(unzipSync(workbook)).map(([path, bytes]) => [path, strToU8(edit(strFromU8(bytes)))]),
    ),
  )

/** Leaves out the rows between the heading and the last year. */
function lastYear(workbook: Uint8Array): Uint8Array {
  const first = Number(/\d+$/.exec(goldOf(workbook).at(-MONTHS)?.location ?? '')?.[0])
  return edited(workbook, (xml) =>
    xml.replace(/<row r="(\d+)".*?<\/row>/g, (row, n) => (Number(n) > HEADING_ROWS && Number(n) < first ? '' : row)),
  )
}

/** Makes an edition of a month later that restates gold in months before the newest one. */
function laterEdition(workbook: Uint8Array): Uint8Array {
  const cells = new Map(
    goldOf(workbook)
      .slice(-1 - RESTATED_MONTHS, -1)
      .map(({ location, printed }) => [location.replace('Monthly Prices, ', ''), restatedFrom(printed)]),
  )
  const cell = /(<c r="([A-Z]+\d+)"[^>]*><v>)([^<]*)(?=<\/v>)/g
  return edited(workbook, (xml) =>
    xml
      .replace('Updated on September 02, 2021', 'Updated on October 04, 2021')
      .replace(cell, (all, head, place) => (cells.has(place) ? head + cells.get(place) : all)),
  )
}

describe('a later edition of the Pink Sheet', () => {
  it('restates past months in candles and journal, and leaves quote, events and stream alone', async () => {
    const dataDir = await temporaryDirectory()
    const service = await startService(dataDir, { ALMANAC_DEMO: '0', ALMANAC_TICKS_FLUSH_MS: '100' })
    onTestFinished(() => service.destroy())
    const run = (...args: string[]) => runCommand(args, { ALMANAC_DATA_DIR: dataDir })
    const { key } = JSON.parse((await run('keys', 'create', '--plan', 'pro', '--owner', 'TEST', '--json')).stdout)
    /** Asks, at most twice a second, until `isWanted`: a key has few calls a minute. */
    const text = async (path: string, isWanted: (body: string) => boolean = () => true): Promise<string> => {
      let body = ''
      await until(`what is wanted of ${path}`, async () => {
        const answer = await fetch(`${service.base}${path}`, { headers: { authorization: `Bearer ${key}` } })
        body = await answer.text()
        const isThere = answer.ok && isWanted(body)
        if (!isThere) await setTimeout(500)
        return isThere
      })
      return body
    }
    const edition = lastYear(readFileSync(fixturePath('pink-sheet/CMO-Historical-Data-Monthly.xlsx')))
    const folder = await temporaryDirectory()
    const [recorded, later] = [join(folder, 'recorded.xlsx'), join(folder, 'later.xlsx')]
    await writeFile(recorded, edition)
    await writeFile(later, laterEdition(edition))
    const gold = goldOf(edition)
    /** Waits for the monthly candles, with `one` among their closes. Returns closes and numbers of prices. */
    const monthly = async (one: string): Promise<{ close: string; ticks: number }[]> => {
      const candlesOf = (body: string): { close: string; ticks: number }[] => JSON.parse(body).candles
      const path = '/v1/prices/XAU-USD/candles?interval=1M&start=2020-09-01&limit=1000'
      const isWanted = (body: string) => {
        const candles = candlesOf(body)
        return candles.length === MONTHS && candles.some(({ close }) => close === one)
      }
      return candlesOf(await text(path, isWanted)).map(({ close, ticks }) => ({ close, ticks }))
    }
    const records = async (topic: string) => (await run('replay', topic)).stdout
    const valuesOf = async <T>(topic: string) =>
      (await records(topic))
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => (JSON.parse(line) as { value: T }).value)

    const first = await run('ingest', 'pink-sheet', recorded)
    expect(first, first.stderr).toMatchObject({ code: 0 })
    expect(first.stdout).toMatch(new RegExp(`^total: ${PRICES} prices$`, 'm'))
    const closes = (prices: readonly string[]) => prices.map((close) => ({ close, ticks: 1 }))
    expect(await monthly('1785.28')).toEqual(closes(gold.map(({ printed }) => printed)))
    const quoted = async () =>
      new Map((await valuesOf<Quote>('quotes')).map((quote) => [quote.symbol, quote.observed_at]))
    await until('the newest price of each commodity is quoted', async () => {
      const times = [...(await quoted()).values()]
      return times.length === columns.length && times.every((at) => at === '2021-08-31T23:59:59.999Z')
    })

    const unmoved = async () => ({
      quote: await text('/v1/commodities/spot/XAU/USD'),
      quotes: await records('quotes'),
      signals: await records('signals'),
      events: await records('events'),
    })
    const before = await unmoved()
    const second = await run('ingest', 'pink-sheet', later)
    expect(second.stdout).toMatch(
      new RegExp(`^total: ${PRICES - RESTATED_MONTHS} unchanged, ${RESTATED_MONTHS} restated$`, 'm'),
    )

    const former = gold.slice(-1 - RESTATED_MONTHS, -1).map(({ printed }) => printed)
    const restated = former.map(restatedFrom)
    const expected = [...gold.slice(0, -1 - RESTATED_MONTHS).map(({ printed }) => printed), ...restated, '1785.28']
    expect(await monthly(restated[0] ?? '')).toEqual(closes(expected))

    const restatements = (await valuesOf<HistoricPrice>('price_history')).filter(({ restates }) => restates !== null)
    expect(restatements.map(({ price, restates }) => [price, restates])).toEqual(restated.map((p, n) => [p, former[n]]))
    expect(restatements[0]).toMatchObject({ released_on: '2021-10-04', url: 'file:later.xlsx', symbol: 'XAU-USD' })

    expect((await run('ingest', 'pink-sheet', later)).stdout).toMatch(new RegExp(`^total: ${PRICES} unchanged$`, 'm'))
    expect((await run('ingest', 'pink-sheet', recorded)).stdout).toMatch(
      new RegExp(`^total: ${PRICES - RESTATED_MONTHS} unchanged, ${RESTATED_MONTHS} outdated$`, 'm'),
    )
    expect(await unmoved()).toEqual(before)
    const verified = await run('verify')
    expect(verified, verified.stdout).toMatchObject({ code: 0 })
  })
})
