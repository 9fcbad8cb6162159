import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { clientsFolder } from '../../clients/generate/artifacts.ts'
import { Almanac } from '../../clients/typescript/src/node.ts'
import { hasNoBrowser } from '../support/browser.ts'
import { startDemo } from '../support/demo.ts'
import type { Service } from '../support/service.ts'
import { servePage, visit } from '../support/visit.ts'

/** The client in a real browser: tickets, a socket that cannot pause, and a cursor in the page's storage. */
const SAMPLE = ['labour-force-participation-SGP-singstat.csv', 'unemployment-SGP-ilo.csv']
let dataDir: string
let service: Service

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'almanac-clients-browser-'))
  service = await startDemo(dataDir, SAMPLE, { ALMANAC_LOG_LEVEL: 'error' })
})
afterAll(async () => {
  await service?.destroy()
  await rm(dataDir, { recursive: true, force: true })
})

async function bundled(): Promise<string> {
  const bundle = await rolldown({ input: join(clientsFolder, 'typescript/src/index.ts') })
  const { output } = await bundle.generate({ minify: true, format: 'iife', name: 'client' })
  return output[0].code
}

/** Reads a replay in batches through a buffer that is too small for it, and reports what it saw. */
const use = `
const { Almanac, storageCursor } = client
const ticket = async (stream) => (await fetch('/ticket/' + stream, { method: 'POST' })).text()
const sequences = []
const states = []
const options = {
  families: ['labour'], countries: ['SGP'], cursor: 'earliest', store: storageCursor(localStorage),
  bufferItems: 12, batchItems: 6, onStep: (_, { state }) => states.push(state),
}
const stream = new Almanac({ ticket }).events(options)
for await (const batch of stream.batches()) {
  // The first batch takes its time: the buffer fills behind it.
  while (!states.includes('parked')) await new Promise((resolve) => setTimeout(resolve, 10))
  for (const { sequence } of batch.items) sequences.push(sequence)
  await batch.ack()
  if (batch.isCaughtUp) break
}
await fetch('/seen', { method: 'POST', body: JSON.stringify({ sequences, states, cursor: localStorage.getItem('almanac-cursor') }) })
`

it.skipIf(hasNoBrowser)('reads a replay with tickets, one connection for each buffer, without a gap', async () => {
  const client = new Almanac({ key: (await service.keys()).pro, url: service.base, streamsUrl: service.streams })
  const seen = Promise.withResolvers<{ sequences: string[]; states: string[]; cursor: string }>()
  let tickets = 0
  const page = `<!doctype html><script>${await bundled()}</script><script type="module">${use}</script>`
  const { origin } = await servePage(page, async (path, body) => {
    if (path === '/seen') seen.resolve(JSON.parse(body))
    if (path !== '/ticket/events') return ''
    tickets++
    return (await client.rest.events_create_stream_ticket({ origin })).url
  })
  await visit(origin)
  const { sequences, states, cursor } = await seen.promise
  const { events } = await client.rest.events_list({ country: ['SGP'], family: ['labour'], limit: 1_000 })
  expect(sequences.length).toBeGreaterThan(30)
  expect(sequences).toEqual(events.map(({ sequence }) => sequence))
  expect(states).toContain('parked')
  expect(tickets).toBeGreaterThan(1)
  expect(cursor).toMatch(/^v1\./)
})
