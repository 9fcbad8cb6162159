/** Prices fan-out: every connection is sent every price at each check. */
import { type Measure, median } from './measure.ts'
import { subscribePrices } from './streams-data.ts'
import { Process, type Usage } from './streams-process.ts'

const CONNECTIONS = 1_000
/** Checks in a round: few, so that the sides take turns often and the machine's speed changes for both alike. */
const CHECKS = 10
const ROUNDS = 15
const PRICES = subscribePrices.commodities.length

export async function bench(): Promise<Measure[]> {
  const sides = { ours: await side('streams-server.ts', 'prices'), bare: await side('streams-bare.ts') }
  const rates: Record<'ours' | 'bare', number[]> = { ours: [], bare: [] }
  try {
    for (let round = 0; round <= ROUNDS; round++) {
      for (const name of ['bare', 'ours'] as const) {
        const rate = await fanOut(sides[name])
        // The first round warms both up.
        if (round > 0) rates[name].push(rate)
      }
    }
  } finally {
    for (const { server, client } of Object.values(sides)) for (const process of [client, server]) process.end()
  }
  const name = 'prices fan-out, 1,000 clients × 20 prices'
  return [{ name, ours: median(rates.ours), ceiling: median(rates.bare), unit: 'messages/CPU s', goal: 0.85 }]
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
async function fanOut({ server, client }: Side): Promise<number> {
  await client.ask({ ask: 'reset' })
  const before = await server.ask<Usage>({ ask: 'usage' })
  for (let check = 1; check <= CHECKS; check++) {
    server.tell({ ask: 'check' })
    await client.ask({ ask: 'received', count: CONNECTIONS * PRICES * check })
  }
  const after = await server.ask<Usage>({ ask: 'usage' })
  return (CONNECTIONS * PRICES * CHECKS) / (after.cpu - before.cpu)
}
