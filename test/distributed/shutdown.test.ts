import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startKafka } from '../../infra/services/kafka.ts'
import { openFeedServer } from '../support/feed-server.ts'
import { temporaryDirectory, until } from '../support/journal.ts'
import { startService } from '../support/service.ts'

/** What the documents promise. A process that needs more than its own share says so in the log. */
const SHUTDOWN_MS = 10_000
const UNRELEASED = /"parts":\[([^\]]*)\],"msg":"Kafka does not answer: the claims of these parts may not be released/

/** Everything that waits for Kafka is busy: prices come in, and nothing is left to the demo. */
async function startBusyService(brokers: readonly string[], dataDir: string) {
  const feed = await openFeedServer((socket) => {
    const tick = () =>
      socket.send(JSON.stringify({ symbol: 'EUR-USD', price: 1 + Math.random() / 10, time: new Date().toISOString() }))
    const ticking = setInterval(tick, 20)
    socket.on('close', () => clearInterval(ticking))
  })
  const service = await startService(dataDir, {
    ALMANAC_KAFKA_BROKERS: brokers.join(','),
    ALMANAC_FEED_URL: feed.url,
    ALMANAC_DEMO: '0',
    ALMANAC_SCHEDULE: '0',
  })
  onTestFinished(() => service.destroy())
  await until('the feed is connected', () => feed.connections() > 0)
  return service
}

async function stop(service: Awaited<ReturnType<typeof startService>>) {
  const begun = performance.now()
  const before = service.output().length
  const code = await service.stop()
  // Before it a Kafka on a busy machine may be slow to answer, which the service says.
  return { code, ms: performance.now() - begun, output: service.output().slice(before) }
}

it('a service on Kafka that is told to stop ends by itself and cleanly, and with Kafka away names what is not released', async () => {
  const dir = await temporaryDirectory()
  const kafka = await startKafka({ dir: join(dir, 'kafka') })
  onTestFinished(() => kafka.stop())
  const start = () => startBusyService(kafka.brokers, join(dir, 'data'))

  const well = await stop(await start())
  expect(well.code).toBe(0)
  expect(well.ms).toBeLessThan(SHUTDOWN_MS)
  expect(well.output).not.toMatch(/does not answer|shutdown timed out|did not close|stopping/)

  const service = await start()
  await kafka.nodes[0]?.kill()
  await until('the service has noticed', () => /"role":"node".*does not answer/.test(service.output()))
  const away = await stop(service)
  expect(away.code).toBe(0)
  expect(away.ms).toBeLessThan(SHUTDOWN_MS)
  expect(away.output).not.toMatch(/shutdown timed out|did not close|stopping/)
  const [, parts = ''] = UNRELEASED.exec(away.output) ?? []
  for (const part of ['processors', 'projection', 'price feed']) expect(parts).toContain(`"${part}"`)
})
