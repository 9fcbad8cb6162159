import { entryPath, modulePaths, stylePaths } from '../../console/assets.ts'
import { facts } from '../../console/facts.ts'
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

/**
 * The first page. Its program, the console, shows the elements that are hidden here. Without it the page still says what the
 * service is, and links to everything.
 */
export const landingPage = (streamBase: string, notice?: Html): Page =>
  page({
    title: 'Almanac',
    notice,
    app: {
      styles: stylePaths,
      modules: modulePaths,
      entry: entryPath,
      connectsTo: new URL(streamBase).origin,
      facts,
    },
    content: html`<nav class="views" aria-label="Console" hidden></nav>
<main id="content" tabindex="-1">
<div id="view" class="view" hidden></div>
<section id="start" class="landing">
<div class="hero">
<div>
<h1>What was published, when, and how it was revised.</h1>
<p class="lead">Economic indicators, merchandise trade, spot prices and exchange rates, all from one durable journal.
Figures are exact decimals; every release and every revision stays on record.</p>
<div id="entrance" hidden></div>
<p id="reference"><a class="button" href="/docs">Open the reference</a></p>
</div>
${dial()}
</div>
<ul class="doors">${doors.map(([href, name, what]) => html`<li><a href="${href}"><b>${name}</b><span>${what}</span></a></li>`)}</ul>
<p class="colophon">${operations.length} operations. Times are UTC; dates are those of the publishers.</p>
</section>
</main>
<footer class="status" hidden></footer>`,
  })
