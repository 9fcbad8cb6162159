import { expect, it, onTestFinished } from 'vitest'
import { openJournal } from '../../cli/parts.ts'
import { Almanac } from '../../clients/typescript/src/node.ts'
import type { Event } from '../../contracts/events.ts'
import { loadConfig } from '../../infra/config.ts'
import { Acceptor } from '../../ingest/accept/accept.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import { appendTicks, tick } from '../projections/support/ticks.ts'
import { runCommand } from '../support/command.ts'
import { type SharedServices, settingsOn, sharedServices } from '../support/distributed.ts'
import { temporaryDirectory, until, untilServed } from '../support/journal.ts'
import { testDocument } from '../support/releases.ts'
import { type Service, startService } from '../support/service.ts'
import { openDeployment } from './support/deployment.ts'
import { figureOf, loadSeries } from './support/load.ts'

/** What clients of a deployment see, when its backup is restored into another kind of deployment. */
const QUIET = {
  ALMANAC_DEMO: '0',
  ALMANAC_SCHEDULE: '0',
  ALMANAC_ROLES: 'store,processors,projections,api,streams',
  ALMANAC_TICKS_FLUSH_MS: '200',
}
const EMBEDDED = {
  ALMANAC_KAFKA_BROKERS: '',
  ALMANAC_SCHEMA_REGISTRY_URL: '',
  ALMANAC_REDIS_URL: '',
  ALMANAC_TOPIC_PREFIX: 'almanac.',
}
const MONTHS = 150
const TICKS = 30

const country = `/v1/economics/${loadSeries.country}`
const PATHS = [
  `${country}/cpi`,
  `${country}/cpi/observations?limit=40`,
  `${country}/inflation/observations?limit=500`,
  `${country}/cpi/vintages?start=1800-06&end=1800-06`,
  '/v1/prices/EUR-USD/ticks?limit=500',
  '/v1/prices/EUR-USD/candles?interval=1m',
  // Every month, so that a record that is lost shows.
  `${country}/cpi/observations?limit=500`,
]

type Page = { readonly events: readonly Event[]; readonly next_cursor: string; readonly has_more: boolean }

const ask = async (service: Service, key: string, path: string) => {
  const response = await fetch(service.base + path, { headers: { authorization: `Bearer ${key}` } })
  return { status: response.status, body: (await response.json()) as unknown }
}

/** Follows pages of 100 events to their end. */
async function pagesOf(service: Service, key: string, from = 'earliest'): Promise<Page[]> {
  const pages: Page[] = []
  for (let cursor = from; ; cursor = pages.at(-1)?.next_cursor ?? cursor) {
    const { status, body } = await ask(service, key, `/v1/events?limit=100&cursor=${cursor}`)
    expect(status).toBe(200)
    // Cast: the contract of the page.
    pages.push(body as Page)
    if (!pages.at(-1)?.has_more) return pages
  }
}

async function streamed(service: Service, key: string, cursor: string, count: number): Promise<unknown[]> {
  const client = new Almanac({ key, url: service.base, streamsUrl: service.streams })
  const events: unknown[] = []
  for await (const event of client.events({ cursor })) if (events.push(event) === count) break
  return events
}

const answersOf = (service: Service, key: string) => Promise.all(PATHS.map((path) => ask(service, key, path)))

/** Everything that a client sees. The last page is left out, because events of the calendar may be added to it. */
async function seen(service: Service, key: string) {
  const pages = (await pagesOf(service, key)).slice(0, -1)
  expect(pages.length).toBeGreaterThan(1)
  const answers = await answersOf(service, key)
  const count = pages.length * 100
  return {
    answers,
    pages,
    stream: await streamed(service, key, 'earliest', count),
    streamFromCursor: await streamed(service, key, pages[0]?.next_cursor ?? '', count - 100),
  }
}
type Seen = Awaited<ReturnType<typeof seen>>

async function expectSame(service: Service, key: string, before: Seen): Promise<void> {
  const areFilled = async () => {
    const events = (await pagesOf(service, key).catch(() => [])).length > before.pages.length
    return events && JSON.stringify(await answersOf(service, key)) === JSON.stringify(before.answers)
  }
  await untilServed('the read models are filled', areFilled).catch(() => undefined)
  const after = await seen(service, key)
  expect({ ...after, pages: after.pages.slice(0, before.pages.length) }).toEqual(before)
}

/** Writes one more figure, and expects its event behind the others, with the next number. */
async function expectGoesOn(service: Service, key: string, journal: TypedJournal, month: number): Promise<void> {
  const last = (await pagesOf(service, key)).at(-1)
  await new Acceptor(journal).accept(testDocument, [figureOf(month)])
  const subject = `${loadSeries.country}/cpi/${figureOf(month).period}`
  const [event] = await streamed(service, key, last?.next_cursor ?? '', 1)
  const next = Number(last?.events.at(-1)?.sequence) + 1
  expect(event).toMatchObject({ subject, sequence: String(next).padStart(20, '0') })
}

it('a backup moves a deployment from Kafka to an embedded journal and back; clients see the same', async () => {
  const deployment = await openDeployment()
  onTestFinished(() => deployment.close())
  const { journal } = deployment
  const key = (await deployment.newKeys('pro', 1))[0]?.key ?? ''
  const months = Array.from({ length: MONTHS }, (_, month) => figureOf(month))
  const acceptor = new Acceptor(journal)
  await acceptor.accept(testDocument, months)
  const revised = { ...figureOf(5), figures: { value: { printed: '105.9' } } }
  await acceptor.accept({ ...testDocument, retrievedAt: '2026-02-10T00:00:00.000Z', sha256: 'b'.repeat(64) }, [revised])
  const at = Date.now() - TICKS * 20_000
  await appendTicks(
    journal,
    Array.from({ length: TICKS }, (_, n) => tick('EUR-USD', `1.${100 + n}`, at + n * 20_000)),
  )
  const homeDir = await temporaryDirectory()
  const home = { ...deployment.settings, ...QUIET, ALMANAC_DATA_DIR: homeDir }
  const onKafka = await startService(homeDir, home)
  onTestFinished(() => onKafka.destroy())
  const count = <T>(body: unknown, member: string) => (body as Record<string, T[]>)[member]?.length ?? 0
  const isServed = async () => {
    const [, , inflation, vintages, ticks, candles] = await answersOf(onKafka, key)
    return (
      count(inflation?.body, 'observations') > 100 &&
      count(vintages?.body, 'vintages') === 2 &&
      count(ticks?.body, 'ticks') === TICKS &&
      count(candles?.body, 'candles') >= TICKS / 3
    )
  }
  await untilServed('figures, revisions and prices are served', isServed).catch(async () =>
    expect(await answersOf(onKafka, key)).toBe('all'),
  )
  const backup = await temporaryDirectory()
  expect(await runCommand(['backup', backup], home)).toMatchObject({ code: 0, stderr: '' })
  const first = await seen(onKafka, key)
  expect(first.answers.map(({ status }) => status)).toEqual(PATHS.map(() => 200))
  expect(await onKafka.stop()).toBe(0)

  const dataDir = await temporaryDirectory()
  const here = { ...EMBEDDED, ...QUIET, ALMANAC_DATA_DIR: dataDir }
  expect(await runCommand(['restore', backup], here)).toMatchObject({ code: 0, stderr: '' })
  const embedded = await startService(dataDir, here)
  onTestFinished(() => embedded.destroy())
  await expectSame(embedded, key, first)
  const opened = await openJournal(loadConfig(here))
  await expectGoesOn(embedded, key, opened, MONTHS)
  await opened.close()
  const again = await temporaryDirectory()
  expect(await runCommand(['backup', again], here)).toMatchObject({ code: 0, stderr: '' })
  const second = await seen(embedded, key)
  expect(await embedded.stop()).toBe(0)

  const otherDir = await temporaryDirectory()
  // Cast: `openDeployment` has found them.
  const there = { ...settingsOn(sharedServices() as SharedServices, otherDir), ...QUIET, ALMANAC_DATA_DIR: otherDir }
  expect(await runCommand(['restore', again], there)).toMatchObject({ code: 0, stderr: '' })
  const back = await startService(otherDir, there)
  onTestFinished(() => back.destroy())
  await expectSame(back, key, second)
  const reopened = await openJournal(loadConfig(there))
  await expectGoesOn(back, key, reopened, MONTHS + 1)
  await reopened.close()
  await until('the read models equal the journal', async () => (await runCommand(['verify'], there)).code === 0)
  expect(await back.stop()).toBe(0)
})
