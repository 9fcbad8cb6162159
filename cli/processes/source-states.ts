import type { JobView } from '../../api/admin/jobs-page.ts'
import type { FailingJob, SourceState } from '../../api/admin/overview/facts.ts'
import type { PublisherMemory } from '../../ingest/publisher-memory.ts'
import { datasetOfJob } from '../../ingest/schedule/timetable.ts'

/** The state of each source by its scheduled jobs, those that fail first. */
export async function sourceStates(
  jobs: readonly JobView[],
  memory: Pick<PublisherMemory, 'load'>,
): Promise<SourceState[]> {
  const bySource = Map.groupBy(jobs, ({ name }) => datasetOfJob(name).source)
  const states = await Promise.all(
    [...bySource].map(async ([source, own]) => {
      const succeeded = await Promise.all(own.map((job) => lastSuccess(job, memory)))
      const known = succeeded.filter((at) => at !== null)
      const nexts = own.flatMap(({ nextRun }) => nextRun ?? [])
      return {
        source,
        jobs: own.length,
        running: own.filter(({ running }) => running).length,
        succeededAt: known.length === 0 ? null : Math.max(...known),
        failing: own.flatMap(failureOf),
        nextAt: nexts.length === 0 ? null : Math.min(...nexts),
      }
    }),
  )
  const isWell = ({ failing }: SourceState) => failing.length === 0
  return states.toSorted((a, b) => Number(isWell(a)) - Number(isWell(b)) || (a.source < b.source ? -1 : 1))
}

/** When a job's last run succeeded; else when its publisher last gave an answer that was taken. */
async function lastSuccess({ name, lastRun }: JobView, memory: Pick<PublisherMemory, 'load'>): Promise<number | null> {
  if (lastRun === null) return null
  if (lastRun.outcome === 'succeeded') return lastRun.endedAt
  const { source, dataset } = datasetOfJob(name)
  return (await memory.load(source, dataset))?.checkedAt ?? null
}

/** A job that failed fails until a run of it succeeds, also while it runs again. */
function failureOf({ name, nextRun, running, lastRun, runBefore }: JobView): FailingJob[] {
  const ended = running ? runBefore : lastRun
  if (ended?.outcome !== 'failed' && ended?.outcome !== 'retrying') return []
  const { startedAt, endedAt, attempt, detail, retryAt } = ended
  const nextAt = running ? null : (retryAt ?? nextRun)
  return [{ job: name, failedAt: endedAt ?? startedAt, attempt, error: detail, nextAt }]
}
