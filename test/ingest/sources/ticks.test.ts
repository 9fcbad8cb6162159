import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Acceptor } from '../../../ingest/accept/accept.ts'
import { ingest } from '../../../ingest/run.ts'
import { file } from '../../../ingest/sources/file/index.ts'
import { openTestJournal, temporaryDirectory, valuesOf } from '../../support/journal.ts'

const now = () => new Date('2026-11-21T10:00:00.000Z')
const load = async (path: string) => {
  const { journal } = await openTestJournal()
  const acceptor = new Acceptor(journal)
  const tally = await ingest(file(), { files: [path], now }, acceptor)
  const ticks = async (symbol: string) =>
    (await valuesOf(journal, 'ticks', journal.partitionFor('ticks', symbol))).filter((tick) => tick.symbol === symbol)
  return { journal, acceptor, tally, ticks }
}
const head = (rows: number) => `# almanac: prices 1
# rows: ${rows}
# publisher: OANDA, as recorded in QuantConnect Lean
# licence: Apache-2.0
# url: https://github.com/QuantConnect/Lean
# source: TEST
symbol,observed_at,price
`

describe('Recorded ticks in a file of prices', () => {
  const path = resolve(import.meta.dirname, '../../fixtures/ticks/gold-and-euro.csv')

  it('come in each once, in order, to the millisecond, and are recognised when they come again', async () => {
    const { acceptor, tally, ticks } = await load(path)
    expect(tally).toMatchObject({ prices: 200, rejected: 0, unchanged: 0 })
    const gold = await ticks('XAU-USD')
    expect(gold).toHaveLength(120)
    expect(gold[0]).toMatchObject({ price: '1300.976', observed_at: '2014-05-04T22:00:00.579Z', source: 'TEST' })
    expect(gold.map(({ observed_at }) => observed_at)).toEqual(gold.map(({ observed_at }) => observed_at).toSorted())
    expect(await ticks('EUR-USD')).toHaveLength(80)
    const again = await ingest(file(), { files: [path], now }, acceptor)
    expect(again).toMatchObject({ prices: 0, older: 198, unchanged: 2 })
  })

  it('keep two prices of one millisecond, and one bad row stops no other', async () => {
    const rows = [
      'XAU-USD,2014-05-04T22:00:00.5791Z,1300.976',
      'XAU-USD,2014-05-04T22:00:00.5799Z,1300.977',
      'XAU-USD,2014-05-04T22:00:00.5800,1300.978',
      'XAU-USD,2014-05-04T22:00:00.581Z,1300.979',
    ]
    const bad = join(await temporaryDirectory(), 'ticks.csv')
    await writeFile(bad, `${head(rows.length)}${rows.join('\n')}\n`)
    const { journal, tally, ticks } = await load(bad)
    expect(tally).toMatchObject({ prices: 3, rejected: 1 })
    expect((await ticks('XAU-USD')).map(({ price }) => price)).toEqual(['1300.976', '1300.977', '1300.979'])
    expect(await valuesOf(journal, 'quarantine')).toMatchObject([
      { reason: 'bad_date', location: 'line 10, observed_at' },
    ])
  })
})

describe('A recorded evening of gold, mid prices of its quotes', () => {
  it('comes in whole, with the very prices', async () => {
    const quotes = readFileSync(resolve(import.meta.dirname, '../../fixtures/ticks/xauusd-2014-05-04.csv'), 'utf8')
    // Milliseconds since midnight UTC, bid, ask. Thousandths are whole numbers, so the middle has at most four decimals.
    const rows = quotes
      .trim()
      .split('\n')
      .map((line) => {
        const [ms = '', bid = '', ask = ''] = line.split(',')
        const twice = Math.round(Number(bid) * 1_000) + Math.round(Number(ask) * 1_000)
        const at = new Date(Date.UTC(2014, 4, 4) + Math.floor(Number(ms))).toISOString()
        return { at, price: (twice / 2_000).toFixed(4) }
      })
    // Two prices in one millisecond are two prices.
    expect(new Set(rows.map(({ at }) => at)).size).toBeLessThan(rows.length)
    const path = join(await temporaryDirectory(), 'gold.csv')
    await writeFile(path, head(rows.length) + rows.map(({ at, price }) => `XAU-USD,${at},${price}\n`).join(''))
    const { tally, ticks } = await load(path)
    expect(tally).toMatchObject({ prices: rows.length, unchanged: 0, rejected: 0 })
    expect((await ticks('XAU-USD')).map(({ observed_at, price }) => ({ at: observed_at, price }))).toEqual(rows)
  })
})
