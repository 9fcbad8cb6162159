import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { html } from '../pages/html.ts'

/** A job as the page shows it; times are UTC milliseconds. */
export type JobView = {
  readonly name: string
  readonly running: boolean
  readonly nextRun: number | null
  readonly lastRun: {
    readonly outcome: string
    readonly startedAt: number
    readonly endedAt: number | null
    readonly attempt: number
    readonly detail: string
    readonly retryAt: number | null
  } | null
}

const style = readFileSync(new URL('../pages/style.css', import.meta.url), 'utf8')

const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** Every job with its last and next run, and a button that runs it now. Loads nothing and needs no script. */
export function jobsPage(jobs: readonly JobView[], now: number): { body: string; contentSecurityPolicy: string } {
  const running = jobs.filter((job) => job.running).length
  const failed = jobs.filter((job) => job.lastRun?.outcome === 'failed').length
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Scheduled ingest · Almanac</title>
<style>§style§</style>
</head>
<body>
<header class="masthead"><a class="name" href="/jobs">Almanac</a><nav><a href="/jobs.json">JSON</a></nav></header>
<main class="landing">
<h1>Scheduled ingest</h1>
<p class="lead">${jobs.length} jobs, ${running} running, ${failed} failed. As of ${minute(now)} UTC; times are UTC.</p>
<table class="ledger jobs">
<thead><tr><th>Job</th><th>Next run</th><th>Last run</th><th>How it went</th><th></th></tr></thead>
<tbody>${jobs.map(row)}</tbody>
</table>
</main>
</body>
</html>
`
  return { body: text.replace('§style§', () => style), contentSecurityPolicy }
}

const row = ({ name, running, nextRun, lastRun }: JobView) => html`<tr>
<td><code>${name}</code></td>
<td class="figure">${running ? 'runs now' : nextRun !== null && minute(nextRun)}</td>
<td class="figure">${lastRun ? minute(lastRun.startedAt) : 'never'}</td>
<td>${lastRun !== null && howItWent(lastRun)}</td>
<td><form method="post" action="/jobs/${encodeURIComponent(name)}/run"><button>Run now</button></form></td>
</tr>
`

function howItWent({ outcome, attempt, detail, startedAt, endedAt }: NonNullable<JobView['lastRun']>) {
  const took = endedAt === null ? '' : ` after ${((endedAt - startedAt) / 1000).toFixed(1)} s`
  return html`${outcome}${took}${attempt > 1 && html`, attempt ${attempt}`}<br><small>${detail}</small>`
}

const minute = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ')
