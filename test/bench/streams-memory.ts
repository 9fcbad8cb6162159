/** What an idle connection takes of the server's memory. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Measure } from './measure.ts'
import { Process, type Usage } from './streams-process.ts'

const CONNECTIONS = 5_000
/** Connections before the first look, so that what grows once has grown. */
const WARM = 1_000

const onePair = { action: 'subscribe', commodities: [{ commodity: 'XAU', currency: 'USD' }] }

export async function bench(): Promise<Measure[]> {
  const dir = mkdtempSync(join(tmpdir(), 'almanac-bench-'))
  try {
    const bare = await bytesEach(['streams-bare.ts'], 'prices', null, 0)
    // Beyond `ready` and `subscribed`, a price here and `caught_up` there.
    const prices = await bytesEach(['streams-server.ts', 'prices'], 'prices', onePair, 3)
    const options = JSON.stringify({ dir: join(dir, 'journal') })
    const events = await bytesEach(['streams-server.ts', 'events', options], 'events', { action: 'subscribe' }, 3)
    const unit = 'bytes of RSS'
    return [
      { name: 'idle prices client (≤ 6 KB above bare)', ours: prices, ceiling: bare, unit },
      { name: 'idle events client (≤ 6 KB above bare)', ours: events, ceiling: bare, unit },
    ]
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/** `frames`: how many a connection is sent at first. */
async function bytesEach([file = '', ...args]: string[], stream: string, subscribe: object | null, frames: number) {
  const server = new Process(file, args, ['--expose-gc'])
  const client = new Process('streams-client.ts', [])
  try {
    const { port } = await server.answer<{ port: number }>()
    const rss = async (count: number, open: number) => {
      await client.ask({ ask: 'connect', port, path: `/v1/${stream}/stream`, count, subscribe })
      await client.ask({ ask: 'received', count: open * frames })
      return (await server.ask<Usage>({ ask: 'usage', collect: true })).rss
    }
    const before = await rss(WARM, WARM)
    return ((await rss(CONNECTIONS, WARM + CONNECTIONS)) - before) / CONNECTIONS
  } finally {
    client.end()
    server.end()
  }
}
