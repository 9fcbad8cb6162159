import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { streamNames } from '../../contracts/streams.ts'
import { type Topic, topics } from '../../contracts/topics.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import type { Projector } from '../../projections/projector.ts'
import type { StreamServer } from '../../streams/server.ts'
import { inTime } from './in-time.ts'

/** What a process tells Prometheus on its admin port; names follow Prometheus's conventions, units are in them. */
export function newRegistry(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
}

export function measureRequests(app: FastifyInstance, registry: Registry): void {
  const seconds = new Histogram({
    name: 'almanac_http_request_seconds',
    help: 'Time from request to answer, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5],
    registers: [registry],
  })
  app.addHook('onResponse', async ({ method, routeOptions }, { statusCode, elapsedTime }) => {
    // Paths that are no route would give a series each.
    seconds.observe({ method, route: routeOptions.url ?? 'none', status: statusCode }, elapsedTime / 1_000)
  })
}

/** How far each topic has grown: its rate is the rate of appending, markers included. None while the journal is away. */
export function measureJournal(journal: Pick<TypedJournal, 'bounds'>, registry: Registry): void {
  new Gauge({
    name: 'almanac_journal_end_offset',
    help: 'Next offset to be written, by topic and partition',
    labelNames: ['topic', 'partition'],
    registers: [registry],
    async collect() {
      const places = (Object.keys(topics) as Topic[]).flatMap((topic) =>
        Array.from({ length: topics[topic].partitions }, (_, partition) => ({ topic, partition })),
      )
      await Promise.all(
        places.map(async ({ topic, partition }) => {
          const bounds = await inTime(() => journal.bounds(topic, partition)).catch(() => undefined)
          if (bounds) this.set({ topic, partition }, bounds.end)
          else this.remove({ topic, partition })
        }),
      )
    },
  })
}

export function measureProjections(
  projectors: readonly Pick<Projector<never>, 'name' | 'progress'>[],
  registry: Registry,
): void {
  new Gauge({
    name: 'almanac_projection_lag_offsets',
    help: 'Offsets in the journal that the read model does not cover yet, holes included',
    labelNames: ['view'],
    registers: [registry],
    async collect() {
      await Promise.all(
        projectors.map(async (projector) => {
          const progress = await inTime(() => projector.progress()).catch(() => undefined)
          if (progress) this.set({ view: projector.name }, progress.lag)
          else this.remove({ view: projector.name })
        }),
      )
    },
  })
}

/** Counts the items that ingest has judged, by their outcome. */
export function measureIngest(registry: Registry): (source: string, tally: Readonly<Record<string, number>>) => void {
  const items = new Counter({
    name: 'almanac_ingest_items_total',
    help: 'Items of documents, by source and what they came to',
    labelNames: ['source', 'outcome'],
    registers: [registry],
  })
  return (source, tally) => {
    for (const [outcome, count] of Object.entries(tally)) items.inc({ source, outcome }, count)
  }
}

export function measureStreams(server: Pick<StreamServer, 'open'>, registry: Registry): void {
  new Gauge({
    name: 'almanac_stream_connections',
    help: 'Connections that were admitted and are open',
    labelNames: ['stream'],
    registers: [registry],
    collect() {
      for (const stream of streamNames) this.set({ stream }, server.open(stream))
    },
  })
}
