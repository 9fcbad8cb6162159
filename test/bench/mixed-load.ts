/** The parts of the mixed load. Each goes on for some seconds, and rejects with what went wrong. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import { periodsOfYear } from '../../domain/period.ts'
import { Acceptor } from '../../ingest/accept/accept.ts'
import { levels } from '../../ingest/simulator/levels.ts'
import type { Figure } from '../../ingest/source.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import { testDocument, testSeries } from '../support/releases.ts'
import { allAtRate, atRate } from './streams-data.ts'

const PAIRS = 100
const PRICES_PER_SECOND = 10
/** Countries of which the sample has no figure, so that each revision is answered, derived from and published. */
const REVISED = ['AUT', 'BEL', 'CHE', 'DNK', 'ESP', 'FIN', 'GRC', 'ITA', 'NOR', 'SWE']
const SAMPLE = ['AUS', 'CAN', 'DEU', 'FRA', 'GBR', 'JPN', 'MYS', 'NLD', 'SGP', 'USA']

/** 100 pairs and a price of each: the commodities, the currencies against the euro, and some of them against the dollar. */
const pairs: readonly { readonly symbol: string; readonly level: number }[] = Object.entries(levels)
  .flatMap(([symbol, level]) => {
    const dollar = symbol.replace(/^EUR-(?!USD)/, 'USD-')
    const own = { symbol, level: Number(level) }
    return dollar === symbol ? [own] : [own, { symbol: dollar, level: Number(level) / Number(levels['EUR-USD']) }]
  })
  .slice(0, PAIRS)

/** A vendor's feed, to which the service connects. */
export async function openFeed() {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `ws://127.0.0.1:${port}`,
    /** Sends a price of each pair ten times a second, each in a message of its own. */
    async send(seconds: number): Promise<void> {
      if (server.clients.size === 0) throw new Error('the service is not connected to the feed')
      await atRate(PAIRS * PRICES_PER_SECOND, PAIRS * PRICES_PER_SECOND * seconds, (n) => {
        const { symbol = '', level = 1 } = pairs[n % PAIRS] ?? {}
        const price = (level * (1 + Math.sin(n / 700) / 1_000)).toPrecision(8)
        const message = JSON.stringify({ symbol, price, time: new Date().toISOString() })
        for (const socket of server.clients) socket.send(message)
      })
    },
    close() {
      for (const socket of server.clients) socket.terminate()
      server.close()
    },
  }
}

const months = ['2023', '2024', '2025'].flatMap((year) => periodsOfYear('M', year))

/** Consumer prices of ten countries, of three years at first. */
export async function openOffice(journal: TypedJournal) {
  const acceptor = new Acceptor(journal)
  let printed = 100
  const publish = async (periods: readonly string[]) => {
    printed += 0.01
    const figures = REVISED.flatMap((country) =>
      periods.map((period): Figure => {
        const value = { printed: printed.toFixed(2) }
        return { kind: 'figure', series: testSeries({ country }), period, figures: { value }, location: '' }
      }),
    )
    const tally = await acceptor.accept(testDocument, figures)
    if (tally.new + tally.revised < figures.length)
      throw new Error(`of ${figures.length} figures some were not accepted: ${JSON.stringify(tally)}`)
  }
  await publish(months)
  return {
    /** Revises the newest month of each country once a second. */
    async revise(seconds: number): Promise<void> {
      await allAtRate(1, seconds, () => publish(months.slice(-1)))
    },
  }
}

/** Requests of a kind at a fixed rate, each with the next path. */
export type Requests = { readonly name: string; readonly perSecond: number; readonly path: (n: number) => string }

const country = (n: number) => SAMPLE[n % SAMPLE.length]
const indicator = (n: number) => ['cpi', 'unemployment', 'inflation'][Math.floor(n / SAMPLE.length) % 3]
const panel = `${SAMPLE.map((code) => `country=${code}`).join('&')}&indicator=cpi&indicator=inflation&frequency=M`
export const requests: readonly Requests[] = [
  { name: 'latest', perSecond: 80, path: (n) => `/v1/economics/${country(n)}/${indicator(n)}` },
  {
    name: 'history of 36 months',
    perSecond: 16,
    path: (n) => `/v1/economics/${country(n)}/${indicator(n)}/observations?start=2022-01&end=2024-12`,
  },
  {
    name: 'panel of 20 columns',
    perSecond: 3,
    path: (n) => `/v1/panel?${panel}&start=20${10 + (n % 10)}-01&end=2024-12`,
  },
  { name: 'calendar', perSecond: 1, path: (n) => `/v1/calendar?country=${country(n)}` },
]

/** Asks for some time. Resolves with the times of the answers in ms, each from the moment at which its request was due. */
export async function ask({ perSecond, path }: Requests, base: string, keys: readonly string[], seconds: number) {
  const from = performance.now()
  const one = async (n: number) => {
    const address = path(n)
    const answer = await fetch(base + address, { headers: { authorization: `Bearer ${keys[n % keys.length]}` } })
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`${address}: ${answer.status} ${text.slice(0, 300)}`)
    return performance.now() - from - ((n + 1) * 1_000) / perSecond
  }
  return allAtRate(perSecond, perSecond * seconds, one)
}
