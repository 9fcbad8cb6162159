import { it, onTestFinished } from 'vitest'
import { standardSockets } from '../../../clients/typescript/src/node.ts'
import { until } from '../../support/journal.ts'
import { almanac, startService } from '../../support/service.ts'
import { startCuttingProxy } from '../support/cutting-proxy.ts'
import { addresses, recorded, settings, some, useService } from './recorded-service.ts'
import { Recorder, readAll } from './recorder.ts'

useService()

async function replayed(recorder: Recorder, options: object = {}, cursor = 'earliest') {
  const stream = recorder
    .client({ ...addresses(), key: recorded.keys.pro })
    .events({ ...recorder.tuning, ...some, cursor, ...options })
  const ended = readAll(stream)
  await recorder.sees('"caught_up"')
  return { stream, ended }
}

it('events: replay, caught up, heartbeat, stop', async () => {
  const recorder = new Recorder()
  const { stream } = await replayed(recorder)
  await recorder.sees('"heartbeat"')
  stream.stop()
  recorder.write(
    'events-replay',
    'Replay of a filter from the earliest event, caught up, a heartbeat, and the end by the consumer',
    { cursor: 'earliest' },
  )
})

it('events: from a cursor in the middle', async () => {
  const first = new Recorder()
  const { stream } = await replayed(first)
  stream.stop()
  const texts = first.inputs.flatMap((input) =>
    'frame' in input && input.frame?.includes('"event"') ? [input.frame] : [],
  )
  const cursor = JSON.parse(texts[Math.floor(texts.length / 2)] ?? '{}').event.cursor
  const recorder = new Recorder()
  const second = await replayed(recorder, {}, cursor)
  second.stream.stop()
  recorder.write('events-from-cursor', 'Replay from the cursor of an event', { cursor })
})

it('events: live from now, without a cursor', async () => {
  const recorder = new Recorder()
  const stream = recorder.client({ ...addresses(), key: recorded.keys.pro }).events({ ...recorder.tuning })
  void readAll(stream)
  await recorder.sees('"caught_up"')
  stream.stop()
  recorder.write('events-live', 'No cursor: live from now')
})

it('events: a narrow filter has checkpoints', async () => {
  const recorder = new Recorder()
  const stream = recorder
    .client({ ...addresses(), key: recorded.keys.pro })
    .events({ ...recorder.tuning, countries: ['NLD'], families: ['fx'], cursor: 'earliest' })
  void readAll(stream)
  await recorder.sees('"checkpoint"', 2)
  stream.stop()
  recorder.write('events-checkpoints', 'A filter that nothing passes: the cursor moves by checkpoints', {
    cursor: 'earliest',
  })
})

it('prices: current, then changes', async () => {
  const recorder = new Recorder()
  const stream = recorder.client({ ...addresses(), key: recorded.keys.pro }).prices({
    ...recorder.tuning,
    commodities: [
      { commodity: 'XAU', currency: 'EUR' },
      { commodity: 'BRENT', currency: 'USD' },
    ],
    fx: [{ base: 'USD', currencies: ['JPY', 'CHF'] }],
  })
  void readAll(stream)
  await recorder.sees('"XAU-EUR"', 4)
  stream.stop()
  recorder.write('prices-current', 'The current prices, then their changes')
})

it('predictions: current', async () => {
  const recorder = new Recorder()
  const stream = recorder
    .client({ ...addresses(), key: recorded.keys.pro })
    .predictions({ ...recorder.tuning, countries: ['USA'] })
  void readAll(stream)
  await recorder.sees('"prediction"', 3)
  stream.stop()
  recorder.write('predictions-current', 'The current predictions of a country')
})

it('stream_limit, until a slot is free', async () => {
  const holder = new Recorder()
  const held = holder.client({ ...addresses(), key: recorded.keys.free }).events(holder.tuning)
  void readAll(held)
  await holder.reaches('streaming')
  const recorder = new Recorder()
  const stream = recorder.client({ ...addresses(), key: recorded.keys.free }).events(recorder.tuning)
  void readAll(stream)
  await recorder.sees('"stream_limit"', 2)
  held.stop()
  await recorder.reaches('streaming')
  stream.stop()
  recorder.write('stream-limit', 'Refused twice because the plan has one stream, then admitted')
})

it('tickets: opened, spent, spent twice', async () => {
  const origin = 'http://localhost:3000'
  const headers = { origin }
  const opener = {
    ...standardSockets,
    open: (url: string, _: object, events: Parameters<typeof standardSockets.open>[2]) =>
      standardSockets.open(url, headers, events),
  }
  const rest = new Recorder().client({ ...addresses(), key: recorded.keys.pro }).rest
  const fresh = async () => (await rest.events_create_stream_ticket({ origin })).url
  /** Hands out a spent ticket so many times first. */
  const record = async (name: string, about: string, spentTimes: number) => {
    const spent = await fresh()
    const once = new Recorder()
    const first = once.client({ ...addresses(), ticket: async () => spent }, opener).events(once.tuning)
    void readAll(first)
    await once.reaches('streaming')
    first.stop()
    let asked = 0
    const recorder = new Recorder()
    const stream = recorder
      .client({ ...addresses(), ticket: async () => (asked++ < spentTimes ? spent : fresh()) }, opener)
      .events(recorder.tuning)
    void readAll(stream)
    await until('it streams or fails', () => ['streaming', 'failed'].includes(recorder.state))
    stream.stop()
    recorder.write(name, about)
  }
  await record('ticket', 'A ticket opens the stream', 0)
  await record('ticket-spent', 'A spent ticket is refused, and a fresh one opens the stream', 1)
  await record('ticket-spent-twice', 'The second refusal in a row is taken for what it is', 2)
})

it('a key that is revoked', async () => {
  const made = await almanac(['keys', 'create', '--plan', 'pro', '--owner', 'TEST', '--test', '--json'], {
    ALMANAC_DATA_DIR: recorded.dataDir,
  })
  const { key, key_id } = JSON.parse(made.stdout)
  const recorder = new Recorder()
  const client = recorder.client({ ...addresses(), key })
  await until(
    'the key is known',
    async () => (await client.rest.account_get_usage().catch(() => undefined)) !== undefined,
  )
  const failure = readAll(client.events({ ...recorder.tuning, ...some, cursor: 'earliest' }))
  await recorder.sees('"caught_up"')
  await almanac(['keys', 'revoke', key_id], { ALMANAC_DATA_DIR: recorded.dataDir })
  await failure
  recorder.write('revoked', 'The key is revoked: `revoked`, and after one more attempt `unauthorized`', {
    cursor: 'earliest',
  })
})

it('a network that cuts frames in the middle', async () => {
  const port = Number(new URL(recorded.service.streams).port)
  const proxy = await startCuttingProxy(port, (n) => [3_000, 6_500, 700, undefined][n])
  onTestFinished(() => proxy.close())
  const recorder = new Recorder()
  const stream = recorder
    .client({ ...addresses(), streamsUrl: `ws://127.0.0.1:${proxy.port}`, key: recorded.keys.pro })
    .events({ ...recorder.tuning, ...some, cursor: 'earliest' })
  void readAll(stream)
  await recorder.sees('"caught_up"')
  stream.stop()
  recorder.write('network-cut', 'Three connections are cut in the middle of a frame; the fourth ends the replay', {
    cursor: 'earliest',
  })
})

it('a slow consumer: paused and resumed', async () => {
  const recorder = new Recorder()
  const stream = recorder
    .client({ ...addresses(), key: recorded.keys.pro })
    .events({ ...recorder.tuning, ...some, cursor: 'earliest', bufferItems: 8, batchItems: 4 })
  for await (const batch of stream.batches()) {
    await batch.ack()
    if (recorder.seen('"caught_up"') > 0) break
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  recorder.write('slow-paused', 'The buffer fills and drains again and again', { cursor: 'earliest' })
})

it('a slower consumer: parked, and opened again', async () => {
  const recorder = new Recorder()
  const stream = recorder
    .client({ ...addresses(), key: recorded.keys.pro })
    .events({ ...recorder.tuning, ...some, cursor: 'earliest', bufferItems: 8, batchItems: 8 })
  let isFirst = true
  for await (const batch of stream.batches()) {
    await batch.ack()
    if (recorder.seen('"caught_up"') > 0) break
    if (isFirst) await recorder.reaches('parked')
    isFirst = false
  }
  recorder.write('slow-parked', 'The consumer takes nothing for 3 s: the connection is given up, and opened again', {
    cursor: 'earliest',
  })
})

it('a socket that cannot pause is closed when the buffer is full', async () => {
  const recorder = new Recorder()
  const stream = recorder
    .client({ ...addresses(), key: recorded.keys.pro }, standardSockets)
    .events({ ...recorder.tuning, ...some, cursor: 'earliest', bufferItems: 24, batchItems: 8 })
  for await (const batch of stream.batches()) {
    await batch.ack()
    if (recorder.seen('"caught_up"') > 0) break
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  recorder.write(
    'slow-without-pause',
    'A buffer of 24 events is filled again and again, each time by a new connection',
    { cursor: 'earliest' },
  )
})

it('a process that stands still is let go by the server', async () => {
  const recorder = new Recorder()
  const stream = recorder.client({ ...addresses(), key: recorded.keys.pro }).prices({
    ...recorder.tuning,
    commodities: [{ commodity: 'XAU', currency: 'EUR' }],
  })
  void readAll(stream)
  await recorder.sees('"XAU-EUR"')
  // Nothing of this process runs: no ping is answered.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 9_000)
  await recorder.sees('"subscribed"', 2)
  stream.stop()
  recorder.write('slow-consumer', 'The program stands still for 9 s: `slow_consumer`, and a new connection')
})

it('kill -9 of the streams process', async () => {
  const recorder = new Recorder()
  const { stream } = await replayed(recorder)
  const pid = recorded.service.processes().find(({ name }) => name === 'streams.ts')?.pid
  recorded.service.kill(pid ?? 0)
  await recorder.reaches('waiting')
  await recorder.sees('"caught_up"', 2)
  stream.stop()
  recorder.write(
    'killed',
    'The streams process is killed: attempts until its successor answers, and on from the cursor',
    { cursor: 'earliest' },
  )
})

it('the service stops, and starts again', async () => {
  const events = new Recorder()
  const { stream } = await replayed(events)
  const prices = new Recorder()
  const gold = prices
    .client({ ...addresses(), key: recorded.keys.pro })
    .prices({ ...prices.tuning, commodities: [{ commodity: 'XAU', currency: 'EUR' }] })
  void readAll(gold)
  await prices.sees('"XAU-EUR"')
  const ports = {
    ALMANAC_HTTP_PORT: new URL(recorded.service.base).port,
    ALMANAC_STREAM_PORT: new URL(recorded.service.streams).port,
  }
  await recorded.service.stop()
  await Promise.all([events.reaches('waiting'), prices.reaches('waiting')])
  recorded.service = await startService(recorded.dataDir, { ...settings, ...ports })
  await events.sees('"caught_up"', 2)
  await prices.sees('"subscribed"', 2)
  stream.stop()
  gold.stop()
  events.write('going-away', 'The service stops with a notice, and starts again', { cursor: 'earliest' })
  prices.write('going-away-prices', 'The service stops; the prices stream says `unavailable`, and starts again')
})
