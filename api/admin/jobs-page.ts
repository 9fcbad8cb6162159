import { html } from '../pages/html.ts'
import { type Page, page, type Site } from '../pages/page.ts'
import { column, figures, renderTable, wide } from '../pages/table.ts'

/** A job as the page shows it. Times are in UTC milliseconds. */
export type JobView = {
  readonly name: string
  readonly running: boolean
  readonly nextRun: number | null
  /** When it is due: cron patterns and the days on which they hold, in `timeZone`. */
  readonly when: string
  readonly timeZone: string
  /** Days or instants to come for which its publishers announce releases, in order. */
  readonly announced: readonly string[]
  readonly lastRun: RunView | null
  /** While it runs: the run before, which has ended. */
  readonly runBefore?: RunView | undefined
}

type RunView = {
  readonly outcome: string
  readonly startedAt: number
  readonly endedAt: number | null
  readonly attempt: number
  readonly detail: string
  readonly retryAt: number | null
}

/** The site of the admin port. It has no pages about problems. */
export const adminSite = (hasJobs: boolean, hasRejected: boolean): Site => ({
  home: '/overview',
  links: [
    { href: '/overview', text: 'Overview' },
    ...(hasJobs ? [{ href: '/jobs', text: 'Jobs' }] : []),
    ...(hasRejected ? [{ href: '/quarantine', text: 'Rejected inputs' }] : []),
    { href: '/metrics', text: 'Metrics' },
  ],
  explainsProblems: false,
})

/** The page of all jobs: last run, next run, and a button to run each now. It needs no script and loads nothing. */
export function jobsPage(jobs: readonly JobView[], now: number, site: Site): Page {
  const ended = (outcome: string) => jobs.filter((job) => !job.running && job.lastRun?.outcome === outcome).length
  const counts = [
    [jobs.filter((job) => job.running).length, 'running'],
    [ended('retrying'), 'waiting for a retry'],
    [ended('failed'), 'failed'],
  ] as const
  const summary = [`${jobs.length} jobs`, ...counts.flatMap(([count, what]) => (count > 0 ? [`${count} ${what}`] : []))]
  return page({
    title: 'Scheduled ingest · Almanac',
    site,
    sendsForms: true,
    content: html`<main id="content" class="landing">
<h1>Scheduled ingest</h1>
<p class="lead">${summary.join(', ')}. As of ${minute(now)} UTC; times are UTC.</p>
<div class="listing">${renderTable(
      [column('Job'), figures('Next run'), figures('Last run'), wide('Result'), column('Run')],
      jobs.map((job) => ({ cells: row(job) })),
    )}</div>
</main>`,
  })
}

const row = ({ name, running, nextRun, lastRun }: JobView) => [
  html`<code>${name}</code>`,
  running ? 'runs now' : nextRun !== null && minute(nextRun),
  lastRun ? minute(lastRun.startedAt) : 'never',
  lastRun !== null && resultOf(lastRun),
  html`<form method="post" action="/jobs/${encodeURIComponent(name)}/run"><button aria-label="Run now: ${name}">Run now</button></form>`,
]

function resultOf({ outcome, attempt, detail, startedAt, endedAt, retryAt }: NonNullable<JobView['lastRun']>) {
  const facts = [
    outcome === 'retrying' ? 'failed' : outcome,
    endedAt !== null && `took ${((endedAt - startedAt) / 1000).toFixed(1)} s`,
    attempt > 1 && `attempt ${attempt}`,
    retryAt !== null && `next attempt at ${minute(retryAt)}`,
  ].filter(Boolean)
  return html`${facts.join(', ')}<br><small>${detail}</small>`
}

const minute = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ')
