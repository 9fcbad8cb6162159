import type { Rejected } from '../../contracts/records.ts'
import { html } from '../pages/html.ts'
import { type Page, page, type Site } from '../pages/page.ts'
import { column, figures, renderTable, wide } from '../pages/table.ts'

/** A rejected input as operators see it. */
export type RejectedView = Pick<
  Rejected,
  'input_id' | 'recorded_at' | 'source' | 'dataset' | 'url' | 'reason' | 'location' | 'detail'
>

/** Characters of an id that the page shows: enough for the commands. */
const SHOWN_ID = 16

/** The page of the newest rejected inputs, the newest first. It needs no script and loads nothing. */
export const quarantinePage = (inputs: readonly RejectedView[], most: number, site: Site): Page =>
  page({
    title: 'Rejected inputs · Almanac',
    site,
    content: html`<main id="content" class="landing">
<h1>Rejected inputs</h1>
${inputs.length === 0 ? none : list(inputs, most)}
</main>`,
  })

const none = html`<p class="lead">Nothing was rejected. What the schedule, <code>./almanac ingest</code> and a price feed cannot take would be listed here.</p>`

const list = (
  inputs: readonly RejectedView[],
  most: number,
) => html`<p class="lead">${inputs.length === most ? `The newest ${most}` : `${inputs.length} in the journal`}, the newest first; times are UTC. <code>./almanac quarantine show ID</code> prints one with its bytes. A reason that begins with <code>held_</code> means implausible figures or prices, which wait for <code>./almanac quarantine approve ID</code>.</p>
<div class="listing">${renderTable(
  [figures('Rejected'), column('Source'), wide('Reason'), column('Place'), figures('Id')],
  inputs.map((input) => ({ cells: cells(input) })),
)}</div>`

const cells = ({ recorded_at, source, dataset, reason, detail, location, url, input_id }: RejectedView) => [
  recorded_at.slice(0, 16).replace('T', ' '),
  html`${source}<br><small>${dataset}</small>`,
  html`<code>${reason}</code><br><small>${detail}</small>`,
  html`${location === '' ? 'whole document' : location}<br><small>${url}</small>`,
  html`<code>${input_id.slice(0, SHOWN_ID)}</code>`,
]
