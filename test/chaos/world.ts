import { mkdir } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { WallClock } from './drive/clock.ts'
import { FeedServer } from './drive/feed.ts'
import { Ledger } from './drive/figures.ts'
import { JournalCopy } from './drive/journal-copy.ts'
import { Poller } from './drive/poller.ts'
import { PriceFiles } from './drive/price-files.ts'
import { mustRun } from './drive/program.ts'
import { Rest } from './drive/rest.ts'
import { Service } from './drive/service.ts'
import { Subscriber } from './drive/subscriber.ts'
import type { ReceivedEvent } from './judge/events.ts'
import { type Random, randomOf } from './random.ts'
import { becomes } from './wait.ts'

/** The service under test and everything that talks to it. */
export type World = {
  readonly directory: string
  readonly settings: Readonly<Record<string, string>>
  readonly clock: WallClock
  readonly service: Service
  readonly feed: FeedServer
  readonly rest: Rest
  readonly ledger: Ledger
  readonly priceFiles: PriceFiles
  readonly journal: JournalCopy
  readonly poller: Poller
  /** One stays connected as long as it is let; the other leaves by itself again and again. */
  readonly subscribers: readonly Subscriber[]
  /** Events paged through over REST, with the cursor of the next page. */
  readonly pages: { readonly events: ReceivedEvent[]; cursor: string }
  /** Kills so far. */
  readonly tally: { kills: number }
}

/** `settings` are added to the service's own, for a run on engines elsewhere. */
export async function createWorld(
  directory: string,
  random: Random,
  settings: Readonly<Record<string, string>> = {},
): Promise<World> {
  await mkdir(directory, { recursive: true })
  const clock = new WallClock(directory)
  const feed = await FeedServer.open(() => clock.now())
  const [http, streams] = [await freePort(), await freePort()]
  const all = {
    ALMANAC_DATA_DIR: join(directory, 'var'),
    ALMANAC_HTTP_PORT: String(http),
    ALMANAC_STREAM_PORT: String(streams),
    ALMANAC_DEMO: '0',
    ALMANAC_SCHEDULE: '0',
    ALMANAC_LOG_LEVEL: 'warn',
    ALMANAC_TICKS_FLUSH_MS: '150',
    ALMANAC_FEED_URL: feed.url,
    ...clock.settings,
    ...settings,
  }
  const service = new Service(all)
  try {
    await service.start()
    const made = await mustRun(['keys', 'create', '--plan', 'pro', '--owner', 'chaos', '--json'], all)
    const { key } = JSON.parse(made) as { key: string }
    const rest = new Rest(`http://127.0.0.1:${http}`, key)
    if (!(await becomes(async () => (await rest.get('/v1/usage', true)) !== undefined, 30_000)))
      throw new Error(`a new key is not known within 30 s: ${service.output}`)
    const ledger = new Ledger()
    const leaving = randomOf(random.below(2 ** 31))
    const subscribing = { url: `ws://127.0.0.1:${streams}`, key, rest }
    return {
      directory,
      settings: all,
      clock,
      service,
      feed,
      rest,
      ledger,
      priceFiles: new PriceFiles(),
      journal: new JournalCopy(all),
      poller: new Poller(rest, ledger, randomOf(random.below(2 ** 31))),
      subscribers: [
        new Subscriber(subscribing),
        new Subscriber({ ...subscribing, leaveAfterMs: () => 200 + leaving.below(3_000) }),
      ],
      pages: { events: [], cursor: 'earliest' },
      tally: { kills: 0 },
    }
  } catch (error) {
    await service.destroy()
    feed.close()
    throw error
  }
}

export async function destroyWorld({ service, feed, poller, subscribers }: World): Promise<void> {
  await poller.close()
  await Promise.all(subscribers.map((subscriber) => subscriber.close()))
  await service.destroy()
  feed.close()
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
