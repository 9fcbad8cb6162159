import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openJournal } from '../../cli/parts.ts'
import { Almanac, memoryCursor } from '../../clients/typescript/src/node.ts'
import type { Event } from '../../contracts/events.ts'
import { topics } from '../../contracts/topics.ts'
import { loadConfig } from '../../infra/config.ts'
import { Acceptor } from '../../ingest/accept/accept.ts'
import { openCopySource } from '../../journal/embedded/copy-source.ts'
import { openKafkaJournal } from '../../journal/kafka/journal.ts'
import { topicSettings } from '../../journal/layout.ts'
import { readAll } from '../contracts/support/journal-world.ts'
import { runCommand } from '../support/command.ts'
import { startDemo } from '../support/demo.ts'
import { type SharedServices, settingsOn, sharedServices } from '../support/distributed.ts'
import { temporaryDirectory, until, untilServed } from '../support/journal.ts'
import { testDocument } from '../support/releases.ts'
import { almanac, startService } from '../support/service.ts'
import { usaGdp } from '../support/use-service.ts'
import { figureOf, loadSeries } from './support/load.ts'

/** A service on the embedded default, whose user has outgrown it: its journal is moved to Kafka, and it goes on there. */
const EMBEDDED = { ALMANAC_KAFKA_BROKERS: '', ALMANAC_SCHEMA_REGISTRY_URL: '', ALMANAC_REDIS_URL: '' }
/** Copies that are killed before one is let finish; ALMANAC_TEST_KILLS=10 for the long run. */
const KILLS = Number(process.env.ALMANAC_TEST_KILLS ?? 1)
/** Figures whose history has several pages, and revisions. */
const SAMPLE = [...usaGdp, 'trade-exports-USA-fred.csv', 'cpi-bis.csv']

let services: SharedServices
beforeAll(() => {
  services = sharedServices() as SharedServices
})

const get = async (base: string, path: string, key: string) => {
  const response = await fetch(base + path, { headers: { Authorization: `Bearer ${key}` } })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}
const page = async (base: string, cursor: string, key: string) => {
  const { status, body } = await get(base, `/v1/events?limit=500&cursor=${cursor}`, key)
  expect(status).toBe(200)
  return body as { events: Event[]; next_cursor: string; has_more: boolean }
}

describe('a service whose journal is moved to Kafka', () => {
  it('goes on as the same: cursors, read models, keys; nothing is lost or comes twice', async () => {
    const dataDir = await temporaryDirectory()
    const before = await startDemo(dataDir, SAMPLE, EMBEDDED)
    onTestFinished(() => before.destroy())
    const { pro } = await before.keys()
    const seen: Event[] = []
    const follow = async (base: string, cursor: string): Promise<string> => {
      for (let at = cursor; ; ) {
        const { events, next_cursor, has_more } = await page(base, at, pro)
        seen.push(...events)
        at = next_cursor
        if (!has_more) return at
      }
    }
    const history = '/v1/economics/USA/trade/exports/observations?limit=2'
    const hasMore = async () => typeof (await get(before.base, history, pro)).body.next_cursor === 'string'
    await untilServed('the sample is in', hasMore)
    const first = await get(before.base, history, pro)
    const second = `${history}&cursor=${first.body.next_cursor}`
    const expected = await get(before.base, second, pro)
    expect([first.status, expected.status]).toEqual([200, 200])
    const middle = await follow(before.base, 'earliest')

    const onKafka = { ...settingsOn(services, dataDir), ALMANAC_REDIS_URL: '', ALMANAC_DATA_DIR: dataDir }
    const copy = (onStart?: Parameters<typeof almanac>[2]) => almanac(['journal', 'copy'], onKafka, onStart)
    const killed = () =>
      copy((child) => void sleep(500 + Math.random() * 1_000).then(() => child.kill('SIGKILL'))).then(
        ({ signal }) => signal,
      )
    for (let kill = 0; kill < KILLS; kill++) await killed()
    const online = await copy()
    expect([online.code, online.stdout]).toEqual([3, expect.stringContaining('the service is running')])

    const early = await runCommand(['doctor'], onKafka)
    expect(early.stdout).toMatch(/BAD journal .*unfinished copy of journal .*`.\/almanac journal copy` continues it/s)
    const last = await follow(before.base, middle)
    // A client with the streams, whose place is kept as a program's is.
    const store = memoryCursor()
    const streamed: string[] = []
    const stream = async ({ base, streams }: typeof before, isRead: () => boolean) => {
      const client = new Almanac({ key: pro, url: base, streamsUrl: streams })
      for await (const { items, ack } of client.events({ cursor: 'earliest', store }).batches()) {
        streamed.push(...items.map(({ sequence }) => sequence))
        await ack()
        if (isRead()) return
      }
    }
    await stream(before, () => streamed.length >= seen.length)
    expect(await before.stop()).toBe(0)
    await killed()
    const finished = await copy()
    expect([finished.code, finished.stderr, finished.stdout]).toEqual([
      0,
      '',
      expect.stringMatching(/is on Kafka (now|already)/),
    ])
    await expectSame(dataDir, onKafka)

    const onEmbedded = await runCommand(['verify'], { ...EMBEDDED, ALMANAC_DATA_DIR: dataDir })
    expect([onEmbedded.code, onEmbedded.stderr]).toEqual([
      2,
      expect.stringMatching(/^almanac: journal .* was moved to .*--cancel.*\n$/),
    ])
    const taken = await runCommand(['journal', 'copy', '--cancel'], onKafka)
    expect([taken.code, taken.stderr]).toEqual([
      2,
      expect.stringContaining('the copy is finished, and may have newer records already'),
    ])

    const after = await startService(dataDir, onKafka)
    onTestFinished(() => after.destroy())
    expect((await get(after.base, second, pro)).body).toEqual(expected.body)
    const verified = await runCommand(['verify'], onKafka)
    expect([verified.code, verified.stderr]).toEqual([0, ''])
    const journal = await openJournal(loadConfig(onKafka))
    onTestFinished(() => journal.close())
    await new Acceptor(journal).accept(testDocument, [figureOf(0)])
    await until(
      'what came after the move is served',
      async () => {
        const { events } = await page(after.base, last, pro)
        return events.some(({ subject }) => subject === `${loadSeries.country}/cpi/${figureOf(0).period}`)
      },
      500,
    )
    await follow(after.base, last)
    await stream(after, () => streamed.length >= seen.length)
    expect(streamed.map(Number)).toEqual(streamed.map((_, i) => i + 1))
    expect(seen.map(({ sequence }) => Number(sequence))).toEqual(seen.map((_, i) => i + 1))
    expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length)
    expect(await after.stop()).toBe(0)
  })
})

/** Offset for offset; of compacted topics the newest of each key, and of values all but the schema's number. */
async function expectSame(dataDir: string, settings: Readonly<Record<string, string>>): Promise<void> {
  const prefix = settings.ALMANAC_TOPIC_PREFIX ?? ''
  const source = await openCopySource(`${dataDir}/journal`)
  if (!source) throw new Error('there is no journal')
  const kafka = await openKafkaJournal({ brokers: services.brokers, clientId: 'test', prefix })
  try {
    expect(kafka.id).toBe(source.journal.id)
    let records = 0
    for (const [topic, { partitions, cleanup }] of Object.entries(topicSettings(prefix)))
      for (let partition = 0; partition < partitions; partition++) {
        const contents = [source.journal, kafka].map(async (journal) => {
          const found = await readAll(journal, { topic, partition })
          const plain = found.records.map((one) => ({ ...one, value: Buffer.from(one.value).toString('hex', 5) }))
          const newest = Array.from(new Map(plain.map((one) => [one.key, one])).values())
          const shown = cleanup === 'compact' ? newest.sort((a, b) => a.offset - b.offset) : plain
          return { end: found.end, records: shown }
        })
        const [expected, copied] = await Promise.all(contents)
        expect(copied, `${topic}/${partition}`).toEqual(expected)
        records += expected?.records.length ?? 0
      }
    expect(records).toBeGreaterThan(5_000)
    expect(source.claims().length).toBeGreaterThan(Object.keys(topics).length / 2)
  } finally {
    await kafka.close()
    await source.close()
  }
}
