import type { StatsFs } from 'node:fs'
import { statfs } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { type RefusalReason, refusalReasons } from '../../access/connection-table.ts'
import type { JobQueue } from '../../api/admin/build-admin.ts'
import type { Archiver } from '../../archive/archiver.ts'
import type { CalendarEntry } from '../../contracts/calendar.ts'
import type { Health } from '../../contracts/resources.ts'
import { type StreamName, streamErrors, streamNames } from '../../contracts/streams.ts'
import { partitionsOf, type Topic, topicNames } from '../../contracts/topics.ts'
import { freeBytes } from '../../infra/disk.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import type { ProcessorsOptions } from '../../processors/main.ts'
import type { StreamEnding, StreamServer } from '../../streams/server.ts'
import { inTime } from './in-time.ts'
import type { Projection, Projections } from './projections.ts'

/**
 * Creates the registry of a process's metrics, served on its admin port. Names follow Prometheus's conventions and end in
 * the unit.
 */
export function newRegistry(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
}

export function measureRequests(app: FastifyInstance, registry: Registry): void {
  const seconds = new Histogram({
    name: 'almanac_http_request_seconds',
    help: 'Time from request to answer, by route and status, without those of /ready',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5],
    registers: [registry],
  })
  app.addHook('onResponse', async ({ method, routeOptions }, { statusCode, elapsedTime }) => {
    // Whoever asks whether a node is ready is told 503 while it starts, which is no failed request.
    if (routeOptions.url === '/ready') return
    // All unknown paths share one label, because each label is a series.
    seconds.observe({ method, route: routeOptions.url ?? 'none', status: statusCode }, elapsedTime / 1_000)
  })
}

/**
 * Measures the end of each partition. Its rate is the rate of appends, markers included. There is no value while the
 * journal is down.
 */
export function measureJournal(journal: Pick<TypedJournal, 'bounds'>, registry: Registry): void {
  new Gauge({
    name: 'almanac_journal_end_offset',
    help: 'Next offset to be written, by topic and partition',
    labelNames: ['topic', 'partition'],
    registers: [registry],
    async collect() {
      const partitions = topicNames.flatMap((topic) => partitionsOf(topic).map((partition) => ({ topic, partition })))
      await Promise.all(
        partitions.map(async ({ topic, partition }) => {
          // No value is the sign of a journal that is down; `almanac_part_up` tells the same.
          const bounds = await inTime(() => journal.bounds(topic, partition)).catch(() => undefined)
          if (bounds) this.set({ topic, partition }, bounds.end)
          else this.remove({ topic, partition })
        }),
      )
    },
  })
}

/** Measures how far the read models have come and are behind the journal, and so the tables of users' projections. */
export function measureProjections(
  { all, userLags }: { readonly all: readonly Pick<Projection, 'name' | 'progress'>[] } & Pick<Projections, 'userLags'>,
  registry: Registry,
): void {
  const read = shared(async () => {
    const asked = [userLags, ...all.map((one) => async () => [{ ...(await one.progress()), name: one.name }])]
    // No value is the sign of a journal or ClickHouse that is down; `almanac_part_up` tells the same.
    const found = await Promise.all(asked.map((ask) => inTime(ask).catch(() => [])))
    return found.flat()
  })
  const registers = [registry]
  new Gauge({
    name: 'almanac_projection_lag_offsets',
    help: 'Offsets in the journal that the read model, or the table of a user, does not cover yet, holes included',
    labelNames: ['view'],
    registers,
    async collect() {
      const found = await read()
      this.reset()
      for (const { name, lag } of found) this.set({ view: name }, lag)
    },
  })
  new Gauge({
    name: 'almanac_projection_position_offsets',
    help: 'Offsets that the read model, or the table of a user, covers; its rate is that of the projection',
    labelNames: ['view'],
    registers,
    async collect() {
      const found = await read()
      this.reset()
      for (const { name, position } of found) this.set({ view: name }, position)
    },
  })
}

/** Joins calls that are made while one is under way. */
function shared<T>(ask: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  return () => {
    running ??= ask().finally(() => {
      running = undefined
    })
    return running
  }
}

/** Measures how far the archive is behind the journal, and how old it is. Only the process that writes it reports. */
export function measureArchive(archiver: Pick<Archiver, 'lags' | 'sealedAt'>, registry: Registry): void {
  new Gauge({
    name: 'almanac_archive_sealed_timestamp_seconds',
    help: 'When the newest segment of the archive was written',
    registers: [registry],
    collect() {
      const { sealedAt } = archiver
      if (sealedAt === undefined) this.remove()
      else this.set(sealedAt / 1_000)
    },
  })
  new Gauge({
    name: 'almanac_archive_lag_offsets',
    help: 'Offsets in the journal that are not archived yet, holes included',
    labelNames: ['topic', 'partition'],
    registers: [registry],
    async collect() {
      // No value is the sign of a journal that is down; `almanac_part_up` tells the same.
      const lags = await inTime(() => archiver.lags()).catch(() => [])
      this.reset()
      for (const { topic, partition, offsets } of lags) this.set({ topic, partition }, offsets)
    },
  })
}

export const countArchiveRetries = (registry: Registry): Counter =>
  new Counter({
    name: 'almanac_archive_retries_total',
    help: 'Faults of the archive or of the journal after which archiving is tried again',
    registers: [registry],
  })

/**
 * Measures how far the processors that run here are behind their inputs, and how often each was restarted after a passing
 * fault. A standby reports nothing, because the positions belong to the owner.
 */
export function measureProcessors(
  journal: Pick<TypedJournal, 'bounds'>,
  registry: Registry,
): Required<Pick<ProcessorsOptions, 'onProgress' | 'onStop' | 'onRetry'>> {
  const running = new Map<string, Map<Topic, number>>()
  new Gauge({
    name: 'almanac_processor_lag_offsets',
    help: 'Offsets of an input that the processor has not read yet, holes included',
    labelNames: ['processor', 'topic', 'partition'],
    registers: [registry],
    async collect() {
      const inputs = [...running].flatMap(([name, positions]) =>
        [...positions].map(([topic, at]) => ({ name, topic, at })),
      )
      const lags = await Promise.all(
        inputs.map(async ({ name, topic, at }) => {
          const [processor = '', partition = ''] = name.split('/')
          // No value is the sign of a journal that is down; `almanac_part_up` tells the same.
          const bounds = await inTime(() => journal.bounds(topic, Number(partition))).catch(() => undefined)
          return bounds && { labels: { processor, topic, partition }, lag: Math.max(0, bounds.end - at) }
        }),
      )
      this.reset()
      for (const one of lags) if (one) this.set(one.labels, one.lag)
    },
  })
  new Gauge({
    name: 'almanac_processor_position_offset',
    help: 'Next offset of an input that the processor reads; its rate is that of the processor',
    labelNames: ['processor', 'topic', 'partition'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [name, positions] of running) {
        const [processor = '', partition = ''] = name.split('/')
        for (const [topic, at] of positions) this.set({ processor, topic, partition }, at)
      }
    },
  })
  const retries = new Counter({
    name: 'almanac_processor_retries_total',
    help: 'Restarts of a processor from its committed state, after a passing fault',
    labelNames: ['processor'],
    registers: [registry],
  })
  return {
    onProgress(processor, partition, { topic, position }) {
      const name = `${processor}/${partition}`
      running.set(name, (running.get(name) ?? new Map<Topic, number>()).set(topic, position))
    },
    onStop: (processor, partition) => void running.delete(`${processor}/${partition}`),
    onRetry: (processor) => retries.inc({ processor }),
  }
}

/** Measures when the last backup was taken that is noted in the data directory. No value: there is none. */
export function measureBackup(takenAt: () => Promise<number | undefined>, registry: Registry): void {
  new Gauge({
    name: 'almanac_backup_taken_timestamp_seconds',
    help: 'The moment that the last backup with this data directory holds',
    registers: [registry],
    async collect() {
      const at = await takenAt()
      if (at === undefined) this.remove()
      else this.set(at / 1_000)
    },
  })
}

/** Measures the disk of the data directory. */
export function measureDisk(directory: string, registry: Registry): void {
  const gauge = (name: string, help: string, bytesOf: (room: StatsFs) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const room = await statfs(directory).catch(() => undefined)
        if (room) this.set(bytesOf(room))
        else this.remove()
      },
    })
  gauge('almanac_data_disk_free_bytes', 'Free bytes of the disk with the data directory', freeBytes)
  gauge('almanac_data_disk_size_bytes', 'Size of the disk with the data directory', (room) => room.blocks * room.bsize)
}

/** Counts the items that ingest has judged, by their outcome. */
export function measureIngest(registry: Registry): (source: string, tally: Readonly<Record<string, number>>) => void {
  const items = new Counter({
    name: 'almanac_ingest_items_total',
    help: 'Items of documents, by source and outcome',
    labelNames: ['source', 'outcome'],
    registers: [registry],
  })
  return (source, tally) => {
    for (const [outcome, count] of Object.entries(tally)) items.inc({ source, outcome }, count)
  }
}

export type SourceMeter = {
  /** Called for each answer of a publisher. */
  readonly answered: (source: string, outcome: 'read' | 'refused' | 'not_modified') => void
  readonly formatChanged: (source: string) => void
}

/** Measures what publishers answer. By source only, because a label for each dataset would make too many series. */
export function measureSources(registry: Registry): SourceMeter {
  const registers = [registry]
  const answers = new Counter({
    name: 'almanac_source_answers_total',
    help: 'Answers of publishers, by source and outcome: read, refused or not_modified',
    labelNames: ['source', 'outcome'],
    registers,
  })
  const checked = new Gauge({
    name: 'almanac_source_checked_timestamp_seconds',
    help: 'When a publisher last answered with a document, or that nothing is new',
    labelNames: ['source'],
    registers,
  })
  const changes = new Counter({
    name: 'almanac_source_format_changes_total',
    help: 'Documents whose structure differs from those before, by source',
    labelNames: ['source'],
    registers,
  })
  return {
    answered(source, outcome) {
      answers.inc({ source, outcome })
      checked.set({ source }, Date.now() / 1_000)
    },
    formatChanged: (source) => changes.inc({ source }),
  }
}

/**
 * Measures the states of the calendar's jobs. All nodes of one Redis report the same; there is no value while Redis is
 * down.
 */
export function measureJobs(jobs: Pick<JobQueue, 'list'>, registry: Registry): void {
  new Gauge({
    name: 'almanac_schedule_jobs',
    help: 'Scheduled jobs by state: running, or the outcome of the last run',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      // No value is the sign of a Redis that is down.
      const states = await inTime(() => jobs.list()).catch(() => undefined)
      this.reset()
      if (!states) return
      for (const state of ['never_ran', 'running', 'succeeded', 'retrying', 'failed']) this.set({ state }, 0)
      for (const { running, lastRun } of states)
        this.inc({ state: running ? 'running' : (lastRun?.outcome ?? 'never_ran') })
    },
  })
}

/** Measures what `/health` reports, for alerts: the parts' states, and the age of the figures. */
export function measureHealth(report: () => Health, registry: Registry): void {
  new Gauge({
    name: 'almanac_part_up',
    help: '1 while a part that the api needs works, else 0',
    labelNames: ['part'],
    registers: [registry],
    collect() {
      const { journal, read_models, access } = report()
      for (const [part, state] of Object.entries({ journal, read_models, access }))
        this.set({ part }, state === 'ok' ? 1 : 0)
    },
  })
  new Gauge({
    name: 'almanac_data_as_of_timestamp_seconds',
    help: 'When the newest release that is served was recorded, Unix time; 0 before the first',
    registers: [registry],
    collect() {
      this.set((Date.parse(report().data_as_of) || 0) / 1_000)
    },
  })
}

export function measureStreams(server: Pick<StreamServer, 'open'>, registry: Registry): void {
  new Gauge({
    name: 'almanac_stream_connections',
    help: 'Open connections that were admitted',
    labelNames: ['stream'],
    registers: [registry],
    collect() {
      for (const stream of streamNames) this.set({ stream }, server.open(stream))
    },
  })
}

/** Measures how many releases are late. `pending` gives those that are not on record, or undefined while they are not known. */
export function measureCalendar(
  pending: () => readonly Pick<CalendarEntry, 'status' | 'expected_on_basis'>[] | undefined,
  registry: Registry,
): void {
  new Gauge({
    name: 'almanac_late_releases',
    help: 'Releases of served series that are late, by the basis of their expected day',
    labelNames: ['basis'],
    registers: [registry],
    collect() {
      this.reset()
      const known = pending()
      if (!known) return
      for (const basis of ['lag', 'publisher', 'standard'] as const)
        this.set(
          { basis },
          known.filter((entry) => entry.status === 'late' && entry.expected_on_basis === basis).length,
        )
    },
  })
}

/** Measures a port's open connections. Returns the function that counts a refused one. */
export function measureConnections(
  port: 'http' | 'streams',
  open: () => number,
  registry: Registry,
): (reason: RefusalReason) => void {
  new Gauge({
    name: 'almanac_connections',
    help: 'Open connections of a port, including those that have sent nothing yet',
    labelNames: ['port'],
    registers: [registry],
    collect() {
      this.set({ port }, open())
    },
  })
  const refused = new Counter({
    name: 'almanac_connections_refused_total',
    help: 'Connections refused at the accept: too many of one address (address), or on the port (total)',
    labelNames: ['port', 'reason'],
    registers: [registry],
  })
  for (const reason of refusalReasons) refused.inc({ port, reason }, 0)
  return (reason) => refused.inc({ port, reason })
}

/** Counts the endings of connections by code. Every code starts at 0, so that its first ending is visible as an increase. */
export function measureEndings(registry: Registry): (stream: StreamName, ending: StreamEnding) => void {
  const endings = new Counter({
    name: 'almanac_stream_endings_total',
    help: 'Connections that ended, refused ones included, by error code, going_away, client_closed, connection_lost or protocol_error',
    labelNames: ['stream', 'code'],
    registers: [registry],
  })
  const codes = [...Object.keys(streamErrors), 'going_away', 'client_closed', 'connection_lost', 'protocol_error']
  for (const stream of streamNames) for (const code of codes) endings.inc({ stream, code }, 0)
  return (stream, code) => endings.inc({ stream, code })
}
