import type { Registry } from 'prom-client'
import type {
  ArchiveState,
  BackupState,
  OverviewFacts,
  ProcessVerdict,
  Quotas,
  SourceState,
  StreamsProcess,
} from '../../api/admin/overview/facts.ts'
import { type ReadSeries, readKept } from '../../api/admin/overview/kept-series.ts'
import { type Overview, overviewOf } from '../../api/admin/overview/overview.ts'
import { SAMPLE_MS, SampleRing } from '../../api/admin/overview/sample-ring.ts'
import type { Archiver } from '../../archive/archiver.ts'
import type { Time } from '../../base/time.ts'
import { adminAddresses } from '../../infra/admin-addresses.ts'
import type { Config } from '../../infra/config.ts'
import type { Lifecycle } from '../../infra/lifecycle.ts'
import { commit, version } from '../version.ts'
import { inTime } from './in-time.ts'

type Parts = {
  readonly config: Pick<Config, 'roles' | 'admin' | 'kafka' | 'redisUrl'>
  /** Whether this is the process of the streams. The others share one. */
  readonly isStreams: boolean
  readonly registry: Registry
  /** Whether every part of the process runs or stands by, as `/ready` has it. */
  readonly ready: () => boolean
  readonly lifecycle: Pick<Lifecycle, 'onClose'>
  readonly time: Time
}

/** What can be asked once it is there. */
type Known = {
  quota?: () => Promise<Quotas>
  sources?: () => Promise<readonly SourceState[]>
  backup?: () => Promise<BackupState>
  archive?: () => ArchiveState
  /** Version of the engine of the read models. */
  engine?: () => Promise<string>
}

type OverviewWatch = { readonly known: Known; readonly overview: () => Promise<Overview> }

/** Keeps the samples of the last hour of this process's metrics. `known` is filled in while the process starts. */
export function startOverview({ config, isStreams, registry, ready, lifecycle, time }: Parts): OverviewWatch {
  const ring = new SampleRing()
  const startedAt = time.now()
  const known: Known = {}
  let sampling = false
  let isReady = false
  const sample = async () => {
    // A registry that takes longer than the time between two samples is sampled less often.
    if (sampling) return
    sampling = true
    const at = time.monotonic()
    // Before the metrics are read: a process that is ready has registered all that it measures.
    const wasReady = ready()
    ring.add(at, await readKept(seriesOf(registry)))
    isReady = wasReady
    sampling = false
  }
  const timer = time.every(SAMPLE_MS, () => void sample())
  lifecycle.onClose('samples', () => timer[Symbol.dispose]())
  void sample()

  const roles = config.roles.filter((role) => (isStreams ? role === 'streams' : role !== 'streams' && role !== 'store'))
  const hasStreams = !isStreams && config.roles.includes('streams')
  const facts = async (): Promise<OverviewFacts> => {
    const [streams, quota, sources, backup, engine] = await Promise.all([
      hasStreams ? streamsProcess(config.admin) : undefined,
      answerOf(known.quota),
      answerOf(known.sources),
      known.backup?.(),
      answerOf(known.engine),
    ])
    const versions = Object.entries({
      Almanac: commit === undefined ? version : `${version}, commit ${commit}`,
      Node: process.version,
      Journal: config.kafka ? `Kafka at ${config.kafka.brokers.join(', ')}` : 'embedded',
      'Read models': engine === 'unavailable' ? 'do not answer' : engine && `ClickHouse ${engine}`,
      Access: config.redisUrl === '' ? 'embedded' : 'Redis',
    }).flatMap(([name, text]) => (text === undefined ? [] : [{ name, version: text }]))
    const archive = known.archive?.()
    const own = { roles, isReady, isShared: config.kafka !== undefined, startedAt, streams }
    return { process: own, versions, engine, quota, sources, backup, archive }
  }
  return { known, overview: async () => overviewOf(ring, await facts(), time.now(), time.monotonic()) }
}

const answerOf = async <T>(ask: (() => Promise<T>) | undefined): Promise<T | 'unavailable' | undefined> =>
  ask && inTime(ask).catch(() => 'unavailable' as const)

/** Asks the process of the streams, which has the next admin port, how it is. */
async function streamsProcess(admin: Config['admin']): Promise<StreamsProcess> {
  const port = admin.port + 1
  const headers = { authorization: `Bearer ${admin.token}` }
  const told = await answerOf(async () => {
    const answer = await fetch(`${adminAddresses(admin, ['streams'])[0]}/overview.json`, { headers })
    if (!answer.ok) throw new Error(`status ${answer.status}`)
    // Cast: it is of the same release, and ends with this process.
    return (await answer.json()) as { verdict: ProcessVerdict; streams: { values: (number | null)[] }[] }
  })
  if (!told || told === 'unavailable') return { port, verdict: 'unavailable', open: 0 }
  const open = told.streams.reduce((sum, { values }) => sum + (values.at(-1) ?? 0), 0)
  return { port, verdict: told.verdict, open }
}

/** Reads the series of a registry. Those of a histogram have the name of its metric with an ending. */
const seriesOf =
  (registry: Registry): ReadSeries =>
  async (name) => {
    const metric = registry.getSingleMetric(name) ?? registry.getSingleMetric(name.replace(/_(?:count|bucket)$/, ''))
    if (!metric) return undefined
    // Cast: the types leave out the name that each value of a histogram has.
    const { values } = (await metric.get()) as { values: { metricName?: string; labels: object; value: number }[] }
    return values
      .filter(({ metricName = name }) => metricName === name)
      .map(({ labels, value }) => ({ labels: { ...labels }, value }))
  }

/** What is known of an archive in `place`. */
export const archiveState = (
  place: string,
  archiver: Pick<Archiver, 'isOwner' | 'sealedAt' | 'fault'>,
): ArchiveState => ({
  place,
  sealedAt: archiver.sealedAt ?? null,
  isOwner: archiver.isOwner,
  fault: archiver.fault ?? null,
})
