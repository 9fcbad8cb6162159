import type { OverviewFacts } from '../../../api/admin/overview/facts.ts'
import { type Overview, overviewOf } from '../../../api/admin/overview/overview.ts'
import { type Measured, SAMPLE_MS, SAMPLES, SampleRing } from '../../../api/admin/overview/sample-ring.ts'

export const START = Date.UTC(2026, 5, 1, 12)

/** Series at a sample: `metric{label=value,…}` and the value, or undefined for none. */
type Sample = Readonly<Record<string, number | undefined>>

/** A ring with these samples, ten seconds apart. A metric that any of them names is one that the process has. */
export function ringOf(samples: readonly Sample[], size?: number): SampleRing {
  const ring = new SampleRing(size)
  const names = new Set(samples.flatMap((sample) => Object.keys(sample)))
  const parts = (name: string) => {
    const [metric = '', labels = ''] = name.replace('}', '').split('{')
    const pairs = labels === '' ? [] : labels.split(',').map((pair) => pair.split('='))
    return { metric, labels: Object.fromEntries(pairs) as Record<string, string> }
  }
  for (const [i, sample] of samples.entries()) {
    const measured = new Map<string, Measured[]>()
    for (const name of names) {
      const { metric, labels } = parts(name)
      const all = measured.get(metric) ?? []
      const { [name]: value } = sample
      if (value !== undefined) all.push({ labels, value })
      measured.set(metric, all)
    }
    ring.add(START + i * SAMPLE_MS, measured)
  }
  return ring
}

/** As many samples as asked for, each made of its number. */
export const samplesOf = (count: number, at: (i: number) => Sample): Sample[] =>
  Array.from({ length: count }, (_, i) => at(i))

export const facts: OverviewFacts = {
  process: { roles: ['api'], isReady: true, isShared: false, startedAt: START - 90_000, streams: undefined },
  versions: [{ name: 'Almanac', version: '1.2.3' }],
  engine: undefined,
  quota: undefined,
  sources: undefined,
  backup: { finished: null, begunAt: null },
  archive: undefined,
}

/** A sample in which nothing is wrong with a process of the role `api`. */
export const wellSample = {
  'almanac_part_up{part=journal}': 1,
  'almanac_http_request_seconds_count{status=200}': 0,
  'almanac_projection_lag_offsets{view=vintages}': 0,
}

/** Texts that a publisher, an owner or a store could write. */
export const HOSTILE = '<script>alert("from a publisher")</script>'

/** An hour in which nearly everything happens that the overview tells of. */
export function busyOverview(): Overview {
  const ring = ringOf(
    samplesOf(SAMPLES, (i) => ({
      'almanac_part_up{part=journal}': 1,
      'almanac_http_request_seconds_count{status=200}': 20 * i,
      'almanac_http_request_seconds_count{status=404}': Math.floor(i / 10),
      'almanac_http_request_seconds_bucket{le=0.1}': 19 * i,
      'almanac_http_request_seconds_bucket{le=+Inf}': 20 * i,
      'almanac_stream_connections{stream=prices}': 40 + (i % 7),
      'almanac_stream_connections{stream=events}': 12,
      'almanac_connections{port=http}': 50,
      // The journal was away for a minute.
      'almanac_journal_end_offset{topic=ticks,partition=0}': i > 100 && i < 107 ? undefined : 300 * i,
      'almanac_journal_end_offset{topic=ticks,partition=1}': 100 * i,
      'almanac_processor_lag_offsets{processor=quotes}': i > 280 ? 6_000 : 3,
      'almanac_processor_lag_offsets{processor=events}': 0,
      'almanac_processor_position_offset{processor=quotes,topic=ticks,partition=0}': 250 * i,
      'almanac_projection_lag_offsets{view=vintages}': 12,
      'almanac_projection_lag_offsets{view=user_gdp}': 90_000,
      'almanac_projection_position_offsets{view=vintages}': 5 * i,
      'almanac_archive_lag_offsets{topic=ticks}': 120,
      almanac_archive_retries_total: 0,
      almanac_data_as_of_timestamp_seconds: START / 1_000,
      almanac_data_disk_free_bytes: 60e9 - i * 1e6,
      almanac_data_disk_size_bytes: 100e9,
      process_resident_memory_bytes: 400e6 + i * 1e5,
      process_cpu_user_seconds_total: 2 * i,
      process_cpu_system_seconds_total: i,
    })),
  )
  const now = START + SAMPLES * SAMPLE_MS
  const use = { account: 'key_A', keyIds: ['key_A', 'key_B'], owner: HOSTILE, plan: 'free', used: 5_000, limit: 5_000 }
  const failing = {
    job: 'ecb/eurofxref-daily',
    failedAt: now - 60_000,
    attempt: 3,
    error: HOSTILE,
    nextAt: now + 240_000,
  }
  const well = { jobs: 2, running: 0, succeededAt: now - 7_200_000, failing: [], nextAt: now + 600_000 }
  return overviewOf(
    ring,
    {
      process: {
        roles: ['ingest', 'processors', 'api'],
        isReady: true,
        isShared: false,
        startedAt: START,
        streams: { port: 9_465, verdict: 'well', open: 54 },
      },
      versions: [
        { name: 'Almanac', version: '1.2.3' },
        { name: 'Read models', version: 'ClickHouse 26.7' },
      ],
      engine: '26.7',
      quota: {
        accounts: 2,
        mostUsed: [
          use,
          { ...use, account: 'key_C', keyIds: ['key_C'], owner: 'TEST', used: 120, plan: 'basic', limit: 100_000 },
        ],
      },
      sources: [
        { ...well, source: 'ecb', succeededAt: now - 5 * 86_400_000, failing: [failing] },
        { ...well, source: 'oecd' },
      ],
      backup: { finished: { takenAt: now - 3_600_000, place: '/var/backup' }, begunAt: now - 30_000 },
      archive: { place: 's3://bucket/almanac', sealedAt: now - 45_000, isOwner: true, fault: null },
    },
    now,
    now,
  )
}
