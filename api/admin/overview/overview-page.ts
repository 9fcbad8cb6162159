import { readFileSync } from 'node:fs'
import { type Html, html } from '../../pages/html.ts'
import { type Page, page, type Site } from '../../pages/page.ts'
import type { Overview } from './overview.ts'
import * as parts from './overview-parts.ts'
import { agoText, countText } from './texts.ts'

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')
const script = read('./refresh.js')
const style = read('./overview.css')

/** The page on which an operator sees whether all is well. Its script only reads it again every ten seconds. */
export function overviewPage(overview: Overview, host: string, site: Site): Page {
  const { at, process, doubt } = overview
  const sections = sectionsOf(overview)
  const heading = headingOf(overview)
  const concerns = concernLinks(overview)
  return page({
    title: `${heading} · Almanac`,
    site,
    script,
    style,
    content: html`<main id="content" class="landing overview">
<label class="refresh" hidden><input type="checkbox" checked> Refresh every 10 s<span id="paused" role="status"></span></label>
<div id="live">
<h1>${heading}</h1>
<p class="lead">As of ${new Date(at).toISOString().slice(0, 19).replace('T', ' ')}. Times are UTC; plots show the last hour.</p>
${doubt !== null && doubt !== heading && html`<p>${doubt}.</p>`}
${concerns.length > 0 && html`<p>Look at ${joined(concerns)}.</p>`}
<p>This is one process. It runs ${joined(process.roles.map((role) => html`<code>${role}</code>`))}, since ${agoText(process.startedAt, at)}. ${elsewhere(overview, host)}</p>
<nav class="jump" aria-label="On this page">${sections.map(({ id, title }) => html`<a href="#${id}">${title}</a>`)}</nav>
${sections.map(({ id, title, part }) => html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${part}</section>`)}
</div>
<p id="away" role="status"></p>
</main>`,
  })
}

/** What the page shows, in its order. What this process knows nothing of is left out. */
function sectionsOf(overview: Overview) {
  const { processors, projections, userProjections, versions, process } = overview
  const noProcessors = process.roles.includes('processors')
    ? 'None runs here. On several machines, another one may own them.'
    : ''
  const all: readonly (readonly [id: string, title: string, part: Html | false])[] = [
    ['alerts', 'Alerts that would fire', parts.alertsPart(overview)],
    ['process', 'The process', parts.glance(overview)],
    ['requests', 'Requests by status', parts.requestsPart(overview)],
    ['processors', 'Processors', parts.followingPart('Processor', processors, overview, noProcessors)],
    ['projections', 'Projections', parts.followingPart('Read model', projections, overview)],
    ['user-projections', 'Users’ projections', parts.followingPart('Table', userProjections, overview)],
    ['topics', 'Topics', parts.topicsPart(overview)],
    ['quota', 'Quota of the month', parts.quotaPart(overview)],
    ['sources', 'Sources', parts.sourcesPart(overview)],
    ['backup', 'Backup and archive', parts.backupPart(overview)],
    [
      'versions',
      'Versions',
      html`<dl class="facts">${versions.map(({ name, version }) => html`<dt>${name}</dt><dd>${version}</dd>`)}</dl>`,
    ],
  ]
  return all.flatMap(([id, title, part]) => (part === false ? [] : [{ id, title, part }]))
}

/** Links to what an operator should look at though no alert fires. */
function concernLinks({ concerns, sources, quota, engine }: Overview): Html[] {
  const { near, failingSources, archive, streams, disk } = concerns
  return [
    ...(near > 0 ? [html`<a href="#alerts">conditions of alerts that hold, not for long enough yet</a>`] : []),
    ...(failingSources > 0
      ? [html`<a href="#sources">${failingSources} failing ${failingSources === 1 ? 'source' : 'sources'}</a>`]
      : []),
    ...(archive > 0 ? [html`<a href="#backup">the archive, which fails</a>`] : []),
    ...(disk > 0 ? [html`<a href="#process">the disk, which is nearly full</a>`] : []),
    ...(sources === 'unavailable' ? [html`<a href="#sources">the sources, which cannot be read</a>`] : []),
    ...(quota === 'unavailable' ? [html`<a href="#quota">the quota, which cannot be read</a>`] : []),
    ...(engine === 'unavailable' ? [html`<a href="#versions">the read models, which do not answer</a>`] : []),
    ...(streams > 0 ? [html`the page of the streams`] : []),
  ]
}

function headingOf({ verdict, doubt, alerts }: Overview): string {
  const firing = alerts.filter(({ state }) => state === 'fires').length
  const alertsFire = firing === 1 ? 'One alert fires' : `${firing} alerts fire`
  return { unknown: doubt ?? '', alerts: alertsFire, concerns: 'No alert fires', well: 'All is well' }[verdict]
}

const joined = (all: readonly Html[]): Html[] =>
  all.map((one, i) => html`${i === 0 ? '' : i === all.length - 1 ? ' and ' : ', '}${one}`)

const streamsSay = {
  unknown: 'it cannot tell yet whether all is well',
  alerts: 'alerts fire',
  concerns: 'no alert fires, but look at it',
  well: 'all is well',
  unavailable: 'it does not answer',
} as const

/** Where the rest of the service is seen. */
function elsewhere({ process: { streams } }: Overview, host: string): Html {
  if (!streams) return html`Other processes have pages of their own.`
  const { port, verdict, open } = streams
  return html`The streams have <a href="http://${host}:${port}/overview">a page of their own</a>: ${streamsSay[verdict]}${verdict !== 'unavailable' && `, ${countText(open)} open`}. Other machines have theirs.`
}
