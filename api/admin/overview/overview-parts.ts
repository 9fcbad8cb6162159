import { type Html, html, type Part } from '../../pages/html.ts'
import { column, figures, renderTable } from '../../pages/table.ts'
import type { ArchiveState, BackupState, SourceState } from './facts.ts'
import type { Following, Line, Overview } from './overview.ts'
import { smallPlot } from './plot.ts'
import type { SampleValues } from './sample-ring.ts'
import { agoText, bytesText, countText, minuteText, percentText, rateText, secondsText, spanText } from './texts.ts'

/** Accounts that the page shows; the JSON has more. */
const SHOWN_ACCOUNTS = 15
/** Failing jobs of a source that the page shows: mostly they fail alike. */
const SHOWN_FAULTS = 1

const words = {
  fires: 'fires',
  holds: 'holds, not for long enough yet',
  quiet: 'quiet',
  unknown: 'not judged yet',
  elsewhere: 'not judged here',
} as const

export function alertsPart({ alerts, at }: Overview): Html {
  const [shown, quiet] = [
    alerts.filter(({ cases }) => cases.length > 0),
    alerts.filter(({ state }) => state === 'quiet'),
  ]
  const rows = shown.flatMap(({ alert, severity, forMinutes, cases }) =>
    cases.map(({ summary, beganAt, fires }) => ({
      cells: [
        html`<b class="${fires ? severity : 'near'}">${fires ? severity : 'not yet'}</b>`,
        html`${summary}<br><small>${alert}</small>`,
        `${spanText(at - beganAt)}; fires after ${forMinutes} min`,
      ],
    })),
  )
  return html`${rows.length === 0 ? html`<p>None. This process judges ${quiet.length} of the ${alerts.length}.</p>` : renderTable([column('State'), column('Alert'), figures('Has held')], rows)}
<details><summary>All ${alerts.length} alerts of the shipped rules</summary>
${renderTable(
  [column('Alert'), column('State')],
  alerts.map(({ alert, state, reason }) => ({
    cells: [html`<code>${alert}</code>`, `${words[state]}${reason === undefined ? '' : `: ${reason}`}`],
  })),
)}
</details>`
}

/** The plots of the whole process. */
export function glance(overview: Overview): Html {
  const { sampledAt, latency, streams, memoryBytes, cpu, diskFreeBytes, diskSizeBytes, newestReleaseAt, at } = overview
  const tile = (name: string, lines: readonly Line[], text: (value: number) => string, note: Part = '') => {
    const newest = lines.map(({ name: each, values }, i) => {
      const value = values.at(-1)
      return html`<span>${value === undefined ? '–' : text(value)}${lines.length > 1 && html` <small class="line-${i}">${each}</small>`}</span> `
    })
    return html`<li><h3>${name}</h3><b>${newest}</b>${smallPlot(name, sampledAt, lines, text)}${note !== '' && html`<small>${note}</small>`}</li>`
  }
  const one = (values: SampleValues): Line[] => [{ name: '', values }]
  const size = diskSizeBytes ?? 0
  const free = diskFreeBytes.at(-1) ?? 0
  return html`<ul class="tiles">
${overview.requests.length > 0 && tile('Time to answer', latency, secondsText)}
${streams.length > 0 && tile('Open streams', streams, countText)}
${tile('Connections', overview.connections, countText)}
${tile('Memory', one(memoryBytes), bytesText)}
${tile('CPU time', one(cpu), percentText, 'of one core')}
${tile('Free disk', one(diskFreeBytes), bytesText, size > 0 && `${bytesText(size - free)} of ${bytesText(size)} used`)}
</ul>
${newestReleaseAt !== null && html`<p>The newest release that is served was recorded ${agoText(newestReleaseAt, at)}.</p>`}`
}

const rateCell = (rate: number | null): string => (rate === null ? '–' : rateText(rate))
const ratePlot = (name: string, { sampledAt }: Overview, values: SampleValues): Html =>
  smallPlot(name, sampledAt, [{ name: '', values }], (value) => `${rateText(value)} a second`)

export function requestsPart(overview: Overview): Html | false {
  const { requests } = overview
  if (requests.length === 0) return false
  return html`${renderTable(
    [column('Status'), figures('A second'), figures('In 1 h'), column('Rate, 1 h')],
    requests.map(({ name, rate, rise, rates }) => ({
      cells: [name, rateCell(rate), countText(rise), ratePlot(`Answers with ${name}`, overview, rates)],
    })),
  )}`
}

/** What follows the journal. `none` is said if there is none; without it, nothing is. */
export function followingPart(what: string, all: readonly Following[], overview: Overview, none = ''): Html | false {
  const { sampledAt } = overview
  const offsets = (value: number) => `${countText(value)} offsets`
  if (all.length === 0) return none !== '' && html`<p>${none}</p>`
  return renderTable(
    [column(what), figures('Lag'), column('Lag, 1 h'), figures('A second'), column('Rate, 1 h')],
    all.map(({ name, lag, lags, rate, rates }) => ({
      cells: [
        html`<code>${name}</code>`,
        lag === null ? 'unknown' : countText(lag),
        smallPlot(`Lag of ${name}`, sampledAt, [{ name, values: lags }], offsets),
        rateCell(rate),
        ratePlot(`Rate of ${name}`, overview, rates),
      ],
    })),
  )
}

export function topicsPart(overview: Overview): Html | false {
  const { topics } = overview
  if (topics.length === 0) return false
  return html`${renderTable(
    [column('Topic'), figures('Offsets a second'), figures('In 1 h'), column('Rate, 1 h')],
    topics.map(({ name, rate, rise, rates }) => ({
      cells: [
        html`<code>${name}</code>`,
        rateCell(rate),
        countText(rise),
        ratePlot(`Rate of ${name}`, overview, rates),
      ],
    })),
  )}`
}

const noAnswer = html`<p>Cannot be read at the moment: its store does not answer.</p>`

export function quotaPart({ quota }: Overview): Html | false {
  if (!quota) return false
  if (quota === 'unavailable') return noAnswer
  const { accounts, mostUsed } = quota
  const shown = mostUsed.slice(0, SHOWN_ACCOUNTS)
  return html`${accounts > shown.length && html`<p>The ${shown.length} of ${accounts} accounts that have used most of theirs.</p>`}
${renderTable(
  [column('Key ids'), column('Owner'), column('Plan'), figures('Used'), figures('Of'), figures('Share')],
  shown.map(({ keyIds, owner, plan, used, limit }) => ({
    cells: [
      keyIds.map((id, i) => html`${i > 0 && html`<br>`}<code>${id}</code>`),
      owner,
      plan,
      countText(used),
      countText(limit),
      used >= limit ? html`<b class="critical">used up</b>` : percentText(used / limit),
    ],
  })),
)}`
}

export function sourcesPart({ sources, at, process: { roles } }: Overview): Html | false {
  if (sources === 'unavailable') return noAnswer
  if (!sources && !roles.includes('ingest')) return false
  if (!sources)
    return html`<p>No schedule runs: without <code>ALMANAC_SCHEDULE=1</code> publishers are asked by <code>./almanac ingest</code> alone.</p>`
  const failing = sources.filter((one) => one.failing.length > 0).length
  return html`<p>${failing === 0 ? 'No source fails.' : `${failing} of ${sources.length} fail.`} <a href="/jobs">All jobs</a></p>
<div class="sources">${renderTable(
    [column('Source'), figures('Last success'), column('State'), figures('Next try')],
    sources.map((one) => ({
      cells: [
        html`<code>${one.source}</code>`,
        one.succeededAt === null
          ? 'none known'
          : html`${minuteText(one.succeededAt)}<br><small>${spanText(at - one.succeededAt)} ago</small>`,
        stateOf(one),
        nextTry(one),
      ],
    })),
  )}</div>`
}

function stateOf({ jobs, running, succeededAt, failing }: SourceState): Part {
  if (failing.length === 0) return running > 0 ? 'runs now' : succeededAt === null ? 'has not run yet' : 'well'
  const faults = failing
    .slice(0, SHOWN_FAULTS)
    .map(
      ({ job, error, attempt }) =>
        html`<b class="critical">failed</b> <code>${job}</code>${attempt > 1 && `, attempt ${attempt}`}<br><small>${error}</small><br>`,
    )
  return html`${faults}${jobs > 1 && html`<small>${failing.length} of ${jobs} jobs fail</small>`}`
}

function nextTry({ failing, nextAt }: SourceState): string {
  const next = failing[0] ? failing[0].nextAt : nextAt
  return next === null ? 'runs now' : minuteText(next)
}

export function backupPart({ backup, archive, archiveLag, at }: Overview): Html | false {
  if (!backup) return false
  return html`<dl class="facts">
<dt>Last backup</dt><dd>${backupText(backup, at)}</dd>
<dt>Archive</dt><dd>${archiveText(archive, archiveLag, at)}</dd>
</dl>`
}

function backupText({ finished, begunAt }: BackupState, at: number): Html {
  const last = finished
    ? html`${agoText(finished.takenAt, at)}, complete, in <code>${finished.place}</code>`
    : html`none was finished with the data directory of this process: <code>./almanac backup DIR</code> takes one`
  return html`${last}${begunAt !== null && html`. A run that began ${agoText(begunAt, at)} has not finished: it runs now, or was interrupted`}`
}

function archiveText(archive: ArchiveState | undefined, lag: number | null, at: number): Html {
  if (!archive) return html`none is kept by this process (<code>ALMANAC_ARCHIVE</code>, role <code>archive</code>)`
  const { place, sealedAt, isOwner, fault } = archive
  if (fault !== null) return html`<b class="critical">fails</b>: ${fault}; it is tried again. In <code>${place}</code>`
  if (!isOwner) return html`another process keeps the one in <code>${place}</code>`
  const last = sealedAt === null ? 'nothing is archived yet' : `last segment ${agoText(sealedAt, at)}`
  return html`${last}, ${lag === null ? 'its lag is unknown' : `${countText(lag)} offsets behind`}, in <code>${place}</code>`
}
