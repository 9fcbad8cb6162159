import type { Labels, Measured } from './sample-ring.ts'

/** A metric whose samples are kept. Series that agree in the labels `by` are kept as one. */
type Kept = {
  readonly metric: string
  readonly by: readonly string[]
  readonly fold: 'sum' | 'max' | 'min'
  readonly only?: Labels
}

const sum = (metric: string, ...by: string[]): Kept => ({ metric, by, fold: 'sum' })
const max = (metric: string, ...by: string[]): Kept => ({ metric, by, fold: 'max' })

/** What the overview and its alerts need, so that an hour of it takes 0.3 MB in a node with all roles. */
export const kept: readonly Kept[] = [
  { metric: 'almanac_part_up', by: ['part'], fold: 'min' },
  max('almanac_data_as_of_timestamp_seconds'),
  sum('almanac_http_request_seconds_count', 'status'),
  sum('almanac_http_request_seconds_bucket', 'le'),
  sum('almanac_stream_connections', 'stream'),
  { metric: 'almanac_stream_endings_total', by: ['stream'], fold: 'sum', only: { code: 'unavailable' } },
  sum('almanac_connections', 'port'),
  // Partitions apart: where one is missing for a sample, their sum would fall and rise.
  sum('almanac_journal_end_offset', 'topic', 'partition'),
  max('almanac_processor_lag_offsets', 'processor'),
  sum('almanac_processor_position_offset', 'processor', 'topic', 'partition'),
  sum('almanac_processor_retries_total', 'processor'),
  max('almanac_projection_lag_offsets', 'view'),
  max('almanac_projection_position_offsets', 'view'),
  max('almanac_archive_lag_offsets', 'topic'),
  sum('almanac_archive_retries_total'),
  max('almanac_schedule_jobs', 'state'),
  max('almanac_data_disk_free_bytes'),
  max('almanac_data_disk_size_bytes'),
  max('process_resident_memory_bytes'),
  sum('process_cpu_user_seconds_total'),
  sum('process_cpu_system_seconds_total'),
]

/** Reads the series of this process with a name, e.g. `x_seconds_count`; undefined if it has no metric of that name. */
export type ReadSeries = (name: string) => Promise<readonly Measured[] | undefined>

/** Reads all that is kept. A metric that cannot be read has no value. */
export async function readKept(read: ReadSeries): Promise<ReadonlyMap<string, readonly Measured[]>> {
  const all = await Promise.all(
    kept.map(async (one) => {
      const found = await read(one.metric).catch(() => [])
      return found ? [[one.metric, folded(one, found)] as const] : []
    }),
  )
  return new Map(all.flat())
}

const folds = { sum: (a: number, b: number) => a + b, max: Math.max, min: Math.min }

function folded({ by, fold, only = {} }: Kept, all: readonly Measured[]): Measured[] {
  const groups = new Map<string, Measured>()
  for (const { labels, value } of all) {
    if (Object.entries(only).some(([label, wanted]) => labels[label] !== wanted)) continue
    // Some labels are numbers in the registry.
    const group = Object.fromEntries(by.map((label) => [label, String(labels[label])]))
    const key = JSON.stringify(group)
    const known = groups.get(key)
    groups.set(key, { labels: group, value: known ? folds[fold](known.value, value) : value })
  }
  return [...groups.values()]
}
