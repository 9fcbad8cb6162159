import { mkdtemp, rm } from 'node:fs/promises'
import { type IncomingMessage, get as request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { Almanac } from '../../clients/typescript/src/node.ts'
import type { Event, EventPage } from '../../contracts/events.ts'
import { runCommand } from '../support/command.ts'
import { startSample } from '../support/demo.ts'
import { until } from '../support/journal.ts'
import type { Service } from '../support/service.ts'

/** ALMANAC_TEST_KILLS=3 for the long run. The journal is long enough for no more. */
const KILLS = Math.min(3, Number(process.env.ALMANAC_TEST_KILLS ?? 1))

/** Slices of the events as a user takes them out: whole processes, real sockets, a killed service. */
let dataDir: string
let service: Service
let key: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'almanac-export-'))
  service = await startSample(dataDir, { ALMANAC_DEMO: '0', ALMANAC_SCHEDULE: '0' })
  key = (await service.keys()).pro
})
afterAll(async () => {
  await service?.destroy()
  await rm(dataDir, { recursive: true, force: true })
})

const headers = () => ({ authorization: `Bearer ${key}` })

async function pages(from: string): Promise<Event[]> {
  const events: Event[] = []
  for (let cursor = from, more = true; more; ) {
    const url = `${service.base}/v1/events?limit=1000&cursor=${cursor}`
    const page = (await (await fetch(url, { headers: headers() })).json()) as EventPage
    events.push(...page.events)
    cursor = page.next_cursor
    more = page.has_more
  }
  return events
}

/** One attempt of an export. `onBytes` hears how many bytes have come, and may make the client wait before it reads on. */
async function attempt(cursor: string, onBytes: (bytes: number) => Promise<void> | void) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const asked = request(`${service.base}/v1/events/export?cursor=${cursor}`, { headers: headers() }, resolve)
    asked.on('error', reject)
    onTestFinished(() => void asked.destroy())
  })
  const parts: Buffer[] = []
  let bytes = 0
  try {
    for await (const part of response) {
      parts.push(part)
      bytes += part.length
      await onBytes(bytes)
    }
  } catch {
    // Cut. What has come whole counts.
  }
  const text = Buffer.concat(parts).toString()
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n')
  const values = lines.filter((line) => line !== '').map((line) => JSON.parse(line))
  const events: Event[] = values.filter((line) => 'id' in line)
  return { events, end: values.find((line) => !('id' in line)) }
}

it('is whole after the service was killed in the middle of it, equals the pages, and meets the stream', async () => {
  const events: Event[] = []
  let cursor = 'earliest'
  let kills = 0
  let end: { cursor: string; count: number; complete: boolean } | undefined
  while (!end) {
    const killAt = kills < KILLS ? 1_000_000 * (kills + 1) : Number.POSITIVE_INFINITY
    let isKilled = false
    const slice = await attempt(cursor, async (bytes) => {
      // Reads slowly, so that the service cannot have sent everything before it is killed.
      if (bytes < killAt) return void (await new Promise((resolve) => setTimeout(resolve, 1)))
      if (isKilled) return
      isKilled = true
      const node = service.processes().find(({ name }) => name === 'node.ts')
      if (node) service.kill(node.pid)
    }).catch(() => undefined)
    events.push(...(slice?.events ?? []))
    end = slice?.end
    cursor = events.at(-1)?.cursor ?? cursor
    if (isKilled) kills++
    if (!end) {
      await until(
        'the service is back',
        async () => (await fetch(`${service.base}/ready`).catch(() => undefined))?.status === 200,
      )
    } else expect(end).toMatchObject({ count: slice?.events.length, complete: true })
  }
  expect(kills).toBe(KILLS)
  expect(events.length).toBeGreaterThan(10_000)
  const paged = await pages('earliest')
  expect(events).toEqual(paged.slice(0, events.length))

  const client = new Almanac({ key, streamsUrl: service.streams, url: service.base })
  const streamed: { readonly sequence: string }[] = []
  for await (const batch of client.events({ cursor: end.cursor }).batches()) {
    streamed.push(...batch.items)
    if (batch.isCaughtUp) break
  }
  const sequences = [...events, ...streamed].map(({ sequence }) => Number(sequence))
  expect(sequences).toEqual(Array.from({ length: sequences.length }, (_, n) => n + 1))
})

it('begins at the same event by a time over REST, on the stream and in a replay', async () => {
  const all = await runCommand(['replay', 'events'], { ALMANAC_DATA_DIR: dataDir })
  const records = all.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { timestamp: number; value: { sequence: number } })
  const middle = records[Math.floor(records.length / 2)]?.timestamp ?? 0
  const first = records.find(({ timestamp }) => timestamp >= middle)?.value.sequence ?? 0
  expect(first).toBeGreaterThan(1)
  const start = new Date(middle).toISOString()
  const answer = await fetch(`${service.base}/v1/events/export?start=${start}&end=${first}`, { headers: headers() })
  expect(Number(JSON.parse((await answer.text()).split('\n')[0] ?? '').sequence)).toBe(first)
  const page = await fetch(`${service.base}/v1/events?start=${start}&limit=1`, { headers: headers() })
  expect(Number(((await page.json()) as EventPage).events[0]?.sequence)).toBe(first)
  const replayed = await runCommand(['replay', 'events', '--from', start], { ALMANAC_DATA_DIR: dataDir })
  expect(JSON.parse(replayed.stdout.split('\n')[0] ?? '').value.sequence).toBe(first)
  const client = new Almanac({ key, streamsUrl: service.streams, url: service.base })
  for await (const { sequence } of client.events({ start })) {
    expect(Number(sequence)).toBe(first)
    break
  }
})
