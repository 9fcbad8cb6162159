/**
 * What a connection and a message cost as connections grow: prices to all, events to few of many filters, and all connections
 * again at once, each from its cursor.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { countryByAlpha3 } from '../../contracts/countries.ts'
import { Lineage } from '../../domain/lineage.ts'
import { openEmbeddedJournal } from '../../journal/embedded/journal.ts'
import { localRegistry } from '../../journal/registry.ts'
import { TypedJournal } from '../../journal/typed.ts'
import { cursorOf } from '../../streams/events/encoded-event.ts'
import { type Measure, seconds } from './measure.ts'
import { atRate, eventOf, subscribePrices } from './streams-data.ts'
import { Process, type Usage } from './streams-process.ts'

const WIDTHS = (process.env.ALMANAC_BENCH_WIDTHS ?? '1000,5000,15000').split(',').map(Number)
const CHECKS = 5
/** Messages until sending costs what it costs in a server that is up for long. */
const WARM_MESSAGES = 2_000_000
const PRICES = subscribePrices.commodities.length
const FILTERS = 5_000
const LIVE = { perSecond: 50, count: 250 }
const WARM_ROUNDS = 2
const AGAIN = { connections: 10_000, behind: 20 }
const ONCE = 1_000

type Side = { readonly server: Process; readonly client: Process; readonly port: number }

async function side(...[file = '', ...args]: readonly string[]): Promise<Side> {
  const server = new Process(file, args, ['--expose-gc'])
  const { port } = await server.answer<{ port: number }>()
  return { server, port, client: new Process('streams-client.ts', []) }
}

const end = (...sides: readonly Side[]): void => {
  for (const { client, server } of sides) for (const process of [client, server]) process.end()
}

const cpuOf = async ({ server }: Side) => (await server.ask<Usage>({ ask: 'usage' })).cpu
const bytesOf = async ({ server }: Side) => (await server.ask<Usage>({ ask: 'usage', collect: true })).rss

export async function bench(): Promise<Measure[]> {
  const directory = mkdtempSync(join(tmpdir(), 'almanac-bench-'))
  const dir = join(directory, 'journal')
  const journal = await TypedJournal.open(await openEmbeddedJournal({ dir }), localRegistry())
  let next = 1
  const append = (count: number) =>
    journal.append(
      'events',
      0,
      Array.from({ length: count }, () => {
        const value = eventOf(next++)
        return { value, id: value.id, at: Date.now() }
      }),
    )
  try {
    await append(1_000)
    const rows: Measure[] = []
    for (const width of WIDTHS) rows.push(...(await prices(width)))
    for (const width of WIDTHS) rows.push(await filtered(width, dir, () => append(1)))
    const newest = next - 1 - AGAIN.behind
    return [...rows, await again(dir, cursorOf(new Lineage(journal), { sequence: newest, hint: newest }))]
  } finally {
    await journal.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Connections in groups, so that no question to the client takes too long. Several subscriptions are taken in turns. */
async function connectAll({ client, port }: Side, stream: string, width: number, subscribe: object | null | object[]) {
  const path = `/v1/${stream}/stream`
  for (let n = 0; n < width; n += ONCE) {
    const group = Array.isArray(subscribe) ? subscribe.slice(n, n + ONCE) : subscribe
    await client.ask({ ask: 'connect', port, path, count: Math.min(ONCE, width - n), subscribe: group })
  }
}

/** Every connection is sent every price, a check a second, and what each of them takes of the server's memory. */
async function prices(width: number): Promise<Measure[]> {
  const measured = async (program: readonly string[]) => {
    const one = await side(...program)
    const isOurs = program.length > 1
    const empty = await bytesOf(one)
    await connectAll(one, 'prices', width, isOurs ? subscribePrices : null)
    if (isOurs) await one.client.ask({ ask: 'received', count: width * (2 + PRICES) })
    const check = async (checks: number, everyMs: number) => {
      await one.client.ask({ ask: 'reset' })
      for (let n = 1; n <= checks; n++) {
        const isTime = pause(everyMs)
        one.server.tell({ ask: 'check' })
        await one.client.ask({ ask: 'received', count: width * PRICES * n })
        await isTime
      }
    }
    await check(Math.ceil(WARM_MESSAGES / (width * PRICES)), 0)
    const before = await cpuOf(one)
    await check(CHECKS, 1_000)
    const rate = (width * PRICES * CHECKS) / ((await cpuOf(one)) - before)
    const bytes = ((await bytesOf(one)) - empty) / width
    end(one)
    return { rate, bytes }
  }
  const bare = await measured(['streams-bare.ts'])
  const ours = await measured(['streams-server.ts', 'prices'])
  const name = `${width.toLocaleString('en')} prices clients`
  return [
    { name: `${name} × ${PRICES}, a check a second`, ours: ours.rate, ceiling: bare.rate, unit: 'messages/CPU s' },
    {
      name: `  memory of each of ${width.toLocaleString('en')}`,
      ours: ours.bytes,
      ceiling: bare.bytes,
      unit: 'bytes of RSS',
    },
  ]
}

/** Different pairs of countries. Each country is in about one of fifty. */
function filtersOf(count: number): readonly (readonly string[])[] {
  const countries = ['USA', ...[...countryByAlpha3.keys()].filter((code) => code !== 'USA')].slice(0, 101)
  const pairs = countries.flatMap((one, i) => countries.slice(i + 1).map((other) => [one, other]))
  // In steps of a prime, so that all are different, and any thousand of them has its share of those that let an event pass.
  return Array.from({ length: count }, (_, n) => pairs[(n * 1_009) % pairs.length] ?? [])
}

/** Events that one of fifty clients wants, beside as many of them sent to those alone. */
async function filtered(width: number, dir: string, append: () => Promise<unknown>): Promise<Measure> {
  const filters = filtersOf(FILTERS)
  const wanted = Array.from({ length: width }, (_, n) => filters[n % FILTERS] ?? [])
  const wanting = wanted.filter((pair) => pair.includes('USA')).length
  const cost = async (countries: readonly (readonly string[])[]) => {
    const one = await side('streams-server.ts', 'events', JSON.stringify({ dir }))
    const subscribes = countries.map((pair) => ({ action: 'subscribe', countries: pair }))
    await connectAll(one, 'events', countries.length, subscribes)
    await one.client.ask({ ask: 'received', count: countries.length * 3 })
    const send = async () => {
      await one.client.ask({ ask: 'reset' })
      const before = await cpuOf(one)
      await atRate(LIVE.perSecond, LIVE.count, () => void append())
      await one.client.ask({ ask: 'received', count: wanting * LIVE.count })
      return (await cpuOf(one)) - before
    }
    for (let round = 0; round < WARM_ROUNDS; round++) await send()
    const cpu = await send()
    end(one)
    return (cpu / LIVE.count) * 1e6
  }
  const all = await cost(wanted)
  const those = await cost(wanted.filter((pair) => pair.includes('USA')))
  const name = `events to ${wanting} of ${width.toLocaleString('en')} clients, ${FILTERS.toLocaleString('en')} filters`
  return { name, ours: all, ceiling: those, unit: 'µs of CPU an event' }
}

/** All connections again at once, as after a restart, each from its cursor: until the last one has what it lacked. */
async function again(dir: string, cursor: string): Promise<Measure> {
  const { connections, behind } = AGAIN
  const ours = await side('streams-server.ts', 'events', JSON.stringify({ dir }))
  const bare = await side('streams-bare.ts')
  const measured = await seconds(async () => {
    await connectAll(ours, 'events', connections, { action: 'subscribe', cursor })
    await ours.client.ask({ ask: 'received', count: connections * (3 + behind) })
  })
  const ceiling = await seconds(() => connectAll(bare, 'events', connections, null))
  end(ours, bare)
  const name = `${connections.toLocaleString('en')} reconnections at once, ${behind} events each, beside bare sockets`
  return { name, ours: measured, ceiling, unit: 's', goal: 10 }
}
