import { seconds, streamErrors, streamLimits, streamNames, streamPath } from '../../contracts/streams.ts'
import { allFrames, framesOf, type Side, simulatedPrices, streamSummaries } from '../stream-descriptions.ts'
import { streamExamples } from '../stream-examples.ts'
import { type Html, html, prose } from './html.ts'
import { column, figures, renderTable } from './table.ts'

const limits: readonly (readonly [string, string | number])[] = [
  ['To subscribe, from ready', seconds(streamLimits.subscribeWithinMs)],
  ['Between heartbeats', seconds(streamLimits.heartbeatEveryMs)],
  ['Frames of a client on a connection', streamLimits.clientFrames],
  ['Size of a client’s frame', `${streamLimits.frameBytes / 1_024} KiB`],
  ['A client that stops reading is disconnected after', seconds(streamLimits.stalledMs)],
  ['Commodities of a subscription', streamLimits.commodityPairs],
  ['Bases of a subscription, and currencies of each', `${streamLimits.fxBases}, ${streamLimits.fxCurrencies}`],
  ['Values of one filter', streamLimits.filterValues],
  ['Life of a ticket', seconds(streamLimits.ticketLifetimeMs)],
]

/** The WebSocket streams: addresses, messages, limits and error codes. */
export const streams = (streamBase: string): Html => html`<section id="streams"><h2>Streams over WebSocket</h2>
<p>Three addresses on a port of their own; one JSON object a text frame. Connect with <code>Authorization: Bearer
&lt;API_KEY&gt;</code>, or from a web page with the <code>url</code> of a ticket. Wait for <code>ready</code>, send one
<code>subscribe</code>, then read. A connection counts as one call of the month. For programs:
<a href="/asyncapi.json">/asyncapi.json</a>.</p>
${renderTable(
  [column('Address'), column('What it sends')],
  streamNames.map((name) => ({
    cells: [html`<code>${streamBase}${streamPath(name)}</code>`, streamSummaries[name]],
  })),
)}
<p>${prose(simulatedPrices)}</p>
${messages('client', 'Messages from a client')}
${messages('server', 'Messages from the server')}
<h3>Limits</h3>
<table class="ledger"><tbody>${limits.map(([what, most]) => html`<tr><td>${what}</td><td class="figure">${most}</td></tr>`)}</tbody></table>
</section>
<section id="stream-errors"><h2>Stream errors</h2>
<p>An <code>error</code> message comes last: the connection closes with the close code, and a reason that begins
with the error’s code, followed by a colon and the detail if there is one.
Access is refused the same way, after the handshake, so that a page can read why. Close code 1001: the server is shutting down; connect again. 1009: <code>invalid_frame</code> for a frame that is too large.</p>
${renderTable(
  [figures('Close'), column('Code'), column('Meaning'), column('What to do')],
  Object.entries(streamErrors).map(([code, { close, title, advice }]) => ({
    id: `stream-${code}`,
    cells: [close, html`<code>${code}</code>`, title, prose(advice)],
  })),
)}</section>`

const messages = (side: Side, heading: string): Html => html`<h3>${heading}</h3>
${renderTable(
  [column('Message'), column('Streams')],
  allFrames(side).map((frame) => ({
    id: frame.$id,
    cells: [
      html`<code class="json">${JSON.stringify(streamExamples[frame.$id])}</code>
${frame.description !== undefined && html`<br><small>${prose(`${frame.description}.`)}</small>`}`,
      streamNames.filter((name) => framesOf(name, side).includes(frame)).join(', '),
    ],
  })),
)}`
