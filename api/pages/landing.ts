import { operations } from '../../contracts/operations.ts'
import { dial } from './dial.ts'
import { type Html, html } from './html.ts'
import { type Page, page } from './page.ts'

/** Links to the other pages. Eight of them fill the rows of the wide, the middle and the narrow layout. */
const doors = [
  ['/docs', 'Reference', 'Every operation, its parameters and answers; fill in a key and run it in the page.'],
  ['/openapi.json', 'OpenAPI 3.1', 'The same in one file, for generators and clients.'],
  ['/docs#streams', 'Streams', 'Prices, events and predictions as they change, over WebSocket.'],
  ['/asyncapi.json', 'AsyncAPI 3.0', 'The streams in one file: every message and every error code.'],
  ['/docs#mcp', 'MCP', 'Every read operation as a tool for language models, at one address.'],
  ['/docs#codes', 'Codes', 'The codes of commodities, currencies, countries and events.'],
  ['/problems', 'Problems', 'Every error code: what it means and what to do about it.'],
  ['/health', 'Health', 'Whether all parts work, and how fresh the figures are.'],
] as const

export const landingPage = (notice?: Html): Page =>
  page({
    title: 'Almanac',
    notice,
    content: html`<main id="content" class="landing">
<div class="hero">
<div>
<h1>What was published, when, and how it was revised.</h1>
<p class="lead">Economic indicators, merchandise trade, spot prices and exchange rates, all from one durable journal.
Figures are exact decimals; every release and every revision stays on record.</p>
<p><a class="button" href="/docs">Open the reference</a></p>
</div>
${dial()}
</div>
<ul class="doors">${doors.map(([href, name, what]) => html`<li><a href="${href}"><b>${name}</b><span>${what}</span></a></li>`)}</ul>
<p class="colophon">${operations.length} operations. Times are UTC; dates are those of the publishers.</p>
</main>`,
  })
