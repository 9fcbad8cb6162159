/** Prices fan-out: every connection is sent every price at each check. */
import { setTimeout as pause } from 'node:timers/promises'
import { type Measure, median } from './measure.ts'
import { subscribePrices } from './streams-data.ts'
import { Process, type Usage } from './streams-process.ts'

const CONNECTIONS = 1_000
const PRICES = subscribePrices.commodities.length

/** Checks of a round, and the least time from one to the next. Few, so that the machine's speed changes for both sides alike. */
type Pace = { readonly name: string; readonly checks: number; readonly everyMs: number; readonly rounds: number }
const paces: readonly (Pace & { readonly goal?: number })[] = [
  { name: `prices fan-out, 1,000 clients × ${PRICES} prices`, checks: 10, everyMs: 0, rounds: 15, goal: 0.85 },
  // As the service checks: each check pings each client, and finds nothing in the caches.
  { name: '  the same, a check a second', checks: 3, everyMs: 1_000, rounds: 3 },
]

export async function bench(): Promise<Measure[]> {
  const sides = { ours: await side('streams-server.ts', 'prices'), bare: await side('streams-bare.ts') }
  try {
    const rows: Measure[] = []
    for (const { goal, ...pace } of paces) rows.push({ ...(await measured(sides, pace)), ...(goal && { goal }) })
    return rows
  } finally {
    for (const { server, client } of Object.values(sides)) for (const process of [client, server]) process.end()
  }
}

async function measured(sides: Record<'ours' | 'bare', Side>, pace: Pace): Promise<Measure> {
  const rates: Record<'ours' | 'bare', number[]> = { ours: [], bare: [] }
  for (let round = 0; round <= pace.rounds; round++) {
    for (const name of ['bare', 'ours'] as const) {
      const rate = await fanOut(sides[name], pace)
      // The first round warms both up.
      if (round > 0) rates[name].push(rate)
    }
  }
  return { name: pace.name, ours: median(rates.ours), ceiling: median(rates.bare), unit: 'messages/CPU s' }
}

type Side = { readonly server: Process; readonly client: Process }

async function side(file: string, ...args: string[]): Promise<Side> {
  const server = new Process(file, args)
  const { port } = await server.answer<{ port: number }>()
  const client = new Process('streams-client.ts', [])
  const subscribe = file === 'streams-server.ts' ? subscribePrices : null
  await client.ask({ ask: 'connect', port, path: '/v1/prices/stream', count: CONNECTIONS, subscribe })
  // `ready`, `subscribed` and the current prices.
  await client.ask({ ask: 'received', count: subscribe ? CONNECTIONS * (2 + PRICES) : 0 })
  return { server, client }
}

/** Messages a second of the server's CPU time. A check follows when the one before has arrived, so that nobody is behind. */
async function fanOut({ server, client }: Side, { checks, everyMs }: Pace): Promise<number> {
  await client.ask({ ask: 'reset' })
  const before = await server.ask<Usage>({ ask: 'usage' })
  for (let check = 1; check <= checks; check++) {
    const isTime = pause(everyMs)
    server.tell({ ask: 'check' })
    await client.ask({ ask: 'received', count: CONNECTIONS * PRICES * check })
    await isTime
  }
  const after = await server.ask<Usage>({ ask: 'usage' })
  return (CONNECTIONS * PRICES * checks) / (after.cpu - before.cpu)
}
