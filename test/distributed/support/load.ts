import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Event } from '../../../contracts/events.ts'
import type { EventRecord, Release, Signal } from '../../../contracts/records.ts'
import { streamPath } from '../../../contracts/streams.ts'
import { derivedId } from '../../../domain/ids.ts'
import { Acceptor } from '../../../ingest/accept/accept.ts'
import type { Figure } from '../../../ingest/source.ts'
import { isPassing } from '../../../journal/journal.ts'
import type { TypedJournal } from '../../../journal/typed.ts'
import { Client } from '../../streams/support.ts'
import { until, valuesOf } from '../../support/journal.ts'
import { testDocument, testSeries } from '../../support/releases.ts'
import type { Service } from '../../support/service.ts'
import type { Deployment } from './deployment.ts'

const FIRST_YEAR = 1800
/** Between two figures: a load that leaves a small machine time for everything else. */
const FIGURE_EVERY_MS = 50
/** Between a reader's connections; it stands for the growing delay of a client that has hours. */
const RECONNECT_MS = 250

/** Consumer prices of a country that the sample lacks: beside its series these would not be served. */
export const loadSeries = testSeries({ country: 'NOR' })

/** The figure of one document: a month's consumer prices; inflation is derived from it and those before. */
export const figureOf = (month: number): Figure => ({
  kind: 'figure',
  series: loadSeries,
  period: `${FIRST_YEAR + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`,
  figures: { value: { printed: `${100 + month}.${month % 10}` } },
  location: `month ${month}`,
})

/** Ingests one figure after the other, each a document, as long as it runs; a fault that passes is tried again. */
export class Ingest {
  /** Acknowledged figures, in order, by their periods. */
  readonly acknowledged: string[] = []
  faults = 0
  readonly #acceptor: Acceptor
  readonly #running: Promise<void>
  #stopping = false

  constructor(journal: TypedJournal) {
    this.#acceptor = new Acceptor(journal)
    this.#running = this.#run()
    this.#running.catch(() => undefined)
  }

  async stop(): Promise<void> {
    this.#stopping = true
    await this.#running
  }

  /** Waits until so many more are acknowledged. */
  async more(count: number): Promise<void> {
    const goal = this.acknowledged.length + count
    await Promise.race([
      until(`${count} more figures are acknowledged`, () => this.acknowledged.length >= goal),
      this.#running,
    ])
  }

  async #run(): Promise<void> {
    for (let month = 0; !this.#stopping; await sleep(FIGURE_EVERY_MS)) {
      const figure = figureOf(month)
      try {
        // What was written by a try that failed is recognised by the next.
        await this.#acceptor.accept(testDocument, [figure])
        this.acknowledged.push(figure.period)
        month++
      } catch (error) {
        if (!isPassing(error)) throw error
        this.faults++
      }
    }
  }
}

/** Reads the events stream of a node, and when it is closed opens it again where it was. */
export class Reader {
  readonly events: Event[] = []
  /** Why connections ended, or were not opened. */
  readonly ends: string[] = []
  readonly #node: Service
  readonly #key: string
  readonly #running: Promise<void>
  #cursor = 'earliest'
  #stopping = false

  constructor(node: Service, key: string) {
    this.#node = node
    this.#key = key
    this.#running = this.#run()
    this.#running.catch(() => undefined)
  }

  async stop(): Promise<void> {
    this.#stopping = true
    await this.#running
  }

  /** Waits until it has received so many events in all. */
  reaches(count: number): Promise<void> {
    return Promise.race([until(`the reader has ${count} events`, () => this.events.length >= count), this.#running])
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      const client = new Client(this.#node.streams + streamPath('events'), {
        headers: { authorization: `Bearer ${this.#key}` },
      })
      let taken = 0
      let subscribed = false
      await until(
        'the reader is stopped',
        () => {
          if (!subscribed && client.of('ready').length > 0) {
            client.send({ action: 'subscribe', cursor: this.#cursor })
            subscribed = true
          }
          for (const message of client.messages.slice(taken)) {
            taken++
            if (message.type !== 'event') continue
            const event = message.event as Event
            this.events.push(event)
            this.#cursor = event.cursor
          }
          return this.#stopping || client.closed !== undefined
        },
        undefined,
        600_000,
      )
      if (client.closed) this.ends.push(client.closed.reason || (client.fault ? 'refused' : String(client.closed.code)))
      client.socket.terminate()
      await sleep(RECONNECT_MS)
    }
  }
}

/**
 * Everything acknowledged is there once, every release and signal has its one event, the sequence is dense, what a reader received
 * is just that, and the read models equal the journal.
 */
export async function expectExactlyOnce(
  deployment: Deployment,
  ingest: Ingest,
  reader: Reader,
): Promise<{ releases: number; events: number }> {
  const { journal } = deployment
  await ingest.stop()
  // All are taken in one look, because a market that opens or closes is a signal, which may come at any time.
  let released: Release[] = []
  let signals: Signal[] = []
  let told: EventRecord[] = []
  await until('every release and signal has its event', async () => {
    released = await valuesOf(journal, 'releases')
    signals = await valuesOf(journal, 'signals')
    told = await valuesOf(journal, 'events')
    return isDerived() && told.length === released.length + signals.length
  })
  await reader.reaches(told.length)
  await reader.stop()

  const primary = released.filter(({ series }) => series.derivation === '')
  expect(primary.map(({ period }) => period)).toEqual(ingest.acknowledged)
  expect(told.map(({ sequence }) => sequence)).toEqual(told.map((_, i) => i + 1))
  const causes = [...released.map(({ release_id }) => release_id), ...signals.map(({ signal_id }) => signal_id)]
  expect(told.map(({ id }) => id).sort()).toEqual(causes.map((cause) => derivedId('evt', cause)).sort())
  // It may have the event of a later signal.
  expect(reader.events.slice(0, told.length).map(({ id }) => id)).toEqual(told.map(({ id }) => id))
  let verified = await deployment.command('verify')
  await until('the read models equal the journal', async () => {
    verified = await deployment.command('verify')
    return verified.code === 0
  }).catch(() => expect(verified, verified.stdout + verified.stderr).toMatchObject({ code: 0 }))
  return { releases: released.length, events: told.length }

  /** Inflation of the newest month that was ingested has been derived. */
  function isDerived(): boolean {
    const newest = ingest.acknowledged.at(-1)
    return released.some(({ series, period }) => series.derivation !== '' && period === newest)
  }
}
