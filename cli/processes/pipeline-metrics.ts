import { Counter, Gauge, type Registry } from 'prom-client'
import type { JobQueue } from '../../api/admin/build-admin.ts'
import type { Archiver } from '../../archive/archiver.ts'
import { SingleFlight } from '../../base/async/single-flight.ts'
import { partitionsOf, topicNames } from '../../contracts/topics.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import type { ProcessorsOptions } from '../../processors/main.ts'
import { inTime } from './in-time.ts'
import { ProcessorPositions } from './processor-positions.ts'
import type { Projection, Projections } from './projections.ts'

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
  const asked = [userLags, ...all.map((one) => async () => [{ ...(await one.progress()), name: one.name }])]
  // No value is the sign of a journal or ClickHouse that is down; `almanac_part_up` tells the same.
  const progressOfAll = async () => (await Promise.all(asked.map((ask) => inTime(ask).catch(() => [])))).flat()
  const reads = new SingleFlight<'all', Awaited<ReturnType<typeof progressOfAll>>>()
  const read = () => reads.run('all', progressOfAll)
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
  positions = new ProcessorPositions(),
): Required<Pick<ProcessorsOptions, 'onProgress' | 'onStop' | 'onRetry'>> {
  new Gauge({
    name: 'almanac_processor_lag_offsets',
    help: 'Offsets of an input that the processor has not read yet, holes included',
    labelNames: ['processor', 'topic', 'partition'],
    registers: [registry],
    async collect() {
      const lags = await Promise.all(
        positions.list().map(async ({ processor, topic, partition, position }) => {
          // No value is the sign of a journal that is down; `almanac_part_up` tells the same.
          const bounds = await inTime(() => journal.bounds(topic, partition)).catch(() => undefined)
          return bounds && { labels: { processor, topic, partition }, lag: Math.max(0, bounds.end - position) }
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
      for (const { processor, topic, partition, position } of positions.list())
        this.set({ processor, topic, partition }, position)
    },
  })
  const retries = new Counter({
    name: 'almanac_processor_retries_total',
    help: 'Restarts of a processor from its committed state, after a passing fault',
    labelNames: ['processor'],
    registers: [registry],
  })
  return {
    onProgress: (processor, partition, progress) => positions.onProgress(processor, partition, progress),
    onStop: (processor, partition) => positions.onStop(processor, partition),
    onRetry: (processor) => retries.inc({ processor }),
  }
}

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
 * Measures the states of the calendar's jobs. All nodes of one Redis report the same; there is no value while Redis is down.
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
