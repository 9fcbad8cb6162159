import type { StatsFs } from 'node:fs'
import { statfs } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { type RefusalReason, refusalReasons } from '../../access/connection-table.ts'
import type { CalendarEntry } from '../../contracts/calendar.ts'
import type { Health } from '../../contracts/resources.ts'
import { type StreamName, streamErrors, streamNames } from '../../contracts/streams.ts'
import { freeBytes } from '../../infra/disk.ts'
import type { StreamEnding, StreamServer } from '../../streams/server.ts'

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
