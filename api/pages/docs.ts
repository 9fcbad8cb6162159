import { eventFamilies, eventTypes, exportLimits } from '../../contracts/events.ts'
import { exportsCountries } from '../../contracts/indicators.ts'
import { commodities, currencies } from '../../contracts/instruments.ts'
import { KEY_VARIABLE } from '../../contracts/key-variable.ts'
import type { Operation } from '../../contracts/operation.ts'
import { operations } from '../../contracts/operations.ts'
import { plans } from '../../contracts/plans.ts'
import { problems } from '../../contracts/problems.ts'
import type { ApiDeps } from '../deps.ts'
import { examples } from '../examples.ts'
import { dial } from './dial.ts'
import { type Html, html, prose } from './html.ts'
import { consoleScript, type Page, page } from './page.ts'
import { streams } from './streams.ts'
import { column, figures, renderTable } from './table.ts'

/** Base addresses of REST and MCP, and of the streams. */
type Addresses = Pick<ApiDeps, 'apiBase' | 'streamBase'>

const tags = [...new Set(operations.map(({ tag }) => tag))]
const thousands = (count: number): string => count.toLocaleString('en-US')

/** The reference page: every operation with its parameters, an example, a curl command, and a button to run it. */
export const docsPage = ({ apiBase, streamBase }: Addresses, notice?: Html): Page =>
  page({
    title: 'Reference · Almanac',
    notice,
    script: consoleScript,
    content: html`<div class="reference">
<nav class="contents" aria-label="Contents">
<a href="#rules">Ground rules</a>
${tags.map(
  (tag) => html`<a class="group" href="#${tagId(tag)}">${tag}</a>
${operations.filter((operation) => operation.tag === tag).map(({ id, path }) => html`<a class="operation" href="#${id}">${shortPath(path)}</a>`)}`,
)}
<b>More</b><a href="#streams">WebSocket</a><a href="#stream-errors">Stream errors</a><a href="#mcp">MCP</a><a href="#codes">Codes</a><a href="#plans">Plans</a>
</nav>
<main id="content">
<section class="title"><div><h1>Reference</h1>
<p class="lead">${operations.length} operations over HTTP; those that read are also tools over MCP. Put a key into the field below to run the
examples on this page.</p>
<form class="key" data-variable="${KEY_VARIABLE}"><label>API key <input type="password" name="key" autocomplete="off" spellcheck="false"
placeholder="alm_…"></label><small>Stays in this page: it is sent to this service only and forgotten on reload.</small></form>
<form class="find" role="search" hidden><label>Find <input type="search" name="find" autocomplete="off" spellcheck="false"
placeholder="an operation, a parameter, a word"></label><small role="status"></small></form>
</div>${dial()}</section>
${rules}
${tags.map(
  (tag) => html`<h2 class="tag" id="${tagId(tag)}">${tag}</h2>
${operations.filter((operation) => operation.tag === tag).map((operation) => article(operation, apiBase))}`,
)}
${streams(streamBase)}
${mcp(apiBase)}
${codes()}
${planTable()}
</main>
</div>`,
  })

const tagId = (tag: string): string => `tag-${tag.toLowerCase()}`

const shortPath = (path: string): string => path.replace('/v1/economics/{country}/', '…/').replace('/v1', '')

const openPaths = (): Html =>
  html`${operations.filter(({ access }) => access === 'none').map(({ path }, i) => html`${i > 0 && ', '}<code>${path}</code>`)}`

const rules = html`<section id="rules"><h2>Ground rules</h2>
<dl class="facts">
<dt>Key</dt><dd><code>Authorization: Bearer &lt;API_KEY&gt;</code> for every operation except ${openPaths()}. Keys belong on servers, not in pages.</dd>
<dt>Figures</dt><dd>Decimal strings in whole units, as published. Never floats. Percent is <code>2.4</code> for 2.4 %, money is in one unit
of its currency and never in millions, a spot price is for one <code>unit</code> of the commodity.</dd>
<dt>Errors</dt><dd>Problem documents. A call is checked in this order: path and method, key, calls a minute, parameters, plan, monthly
quota, then whether the requested data exists. Unknown parameters and body members are refused. <a href="/problems">All codes</a>.</dd>
<dt>Cost</dt><dd>One call of the monthly quota for each answer of status 200, 304 or 404 of an operation marked <em>one call</em>; an export
costs one for each ${thousands(exportLimits.eventsPerCall)} events begun. Other operations, other errors and faults of the service cost nothing. <code>RateLimit</code> says what is left.</dd>
<dt>Reuse</dt><dd><code>ETag</code> and <code>If-None-Match</code> give 304. Latest figures may be kept for a minute, exact
periods for five, prices for a second, pages of one snapshot for an hour.</dd>
<dt>Cursors</dt><dd>Opaque. A cursor is honoured, or refused with a code and an address to continue from; it is never moved. A history
cursor reads one snapshot and lives 24 hours. An event cursor is valid at every service on the same journal.</dd>
<dt>Versions</dt><dd><code>/v1</code> keeps its members and their meaning; operations, optional parameters, event types, problem
codes and values of a list such as <code>market_session</code> may be added. Removals are announced at least 12 months ahead by the headers <code>Deprecation</code> and
<code>Sunset</code>.</dd>
</dl></section>`

function article(operation: Operation, apiBase: string): Html {
  const { id, method, path, summary, description, access } = operation
  const example = examples[id]
  const cost = { none: 'open', key: 'key, free of charge', charged: 'key, one call' }[access]
  return html`<article id="${id}" data-method="${method}" data-path="${path}" data-access="${access}"><details>
<summary><h3><span class="method">${method}</span> <span class="path">${pathParts(path)}</span></h3>
<p>${summary}. <small class="tool">${id} · ${cost}</small></p></summary>
<p>${prose(description)}</p>
<form>${[
    ...fields('path', operation.params, example?.params),
    ...fields('query', operation.query, example?.query),
    ...fields('body', operation.body, example?.sent),
  ]}</form>
<div class="curl"><pre><code>${curl(operation, apiBase)}</code></pre><button type="button" class="copy">Copy</button><button type="button"
class="run">Run</button></div>
<div class="answer" hidden></div>
${example && html`<details><summary>Example answer</summary><pre>${exampleText(example.body)}</pre></details>`}
<p class="codes">${operation.problems.map((code) => html`<a href="/problems/${code}">${problems[code].status} ${code}</a> `)}</p>
</details></article>`
}

const exampleText = (body: object | string): string => (typeof body === 'string' ? body : JSON.stringify(body, null, 2))

const pathParts = (path: string): Html[] =>
  path.split(/(\{\w+\})/).map((part) => (part.startsWith('{') ? html`<em>${part}</em>` : html`${part}`))

type Property = { readonly description?: string; readonly type?: string; readonly items?: Property } & {
  readonly default?: unknown
  readonly maximum?: number
  readonly anyOf?: readonly { readonly const?: unknown }[]
}

/** The fields of a form. The cast: each property of a schema is a schema. */
const fields = (
  location: 'path' | 'query' | 'body',
  schema: { readonly properties: object } = { properties: {} },
  example: Readonly<Record<string, unknown>> = {},
): Html[] =>
  Object.entries(schema.properties as Record<string, Property>).map(
    ([name, property]) => html`<label><span>${name}${location !== 'query' && html`<i>in ${location}</i>`}</span>
<input name="${name}" data-in="${location}" value="${String(example[name] ?? '')}" spellcheck="false" autocomplete="off">
<small>${prose(explain(property))}</small></label>`,
  )

function explain(property: Property): string {
  if (property.type === 'array' && property.items) {
    return `${property.description}. ${explain(property.items)} May be repeated (here: commas).`
  }
  if (property.anyOf) return `${property.anyOf.map((member) => `\`${member.const}\``).join(' ')}.`
  if (property.type === 'integer') return `1 to ${thousands(property.maximum ?? 0)}; ${property.default} if left out.`
  return `${property.description ?? ''}.`
}

/** The curl command of the operation's example. The page's script writes the same command for the values in the fields. */
function curl({ id, path, access }: Operation, apiBase: string): string {
  const { params, query, sent } = examples[id] ?? {}
  const search = query ? `?${new URLSearchParams(query)}` : ''
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) => params?.[name] ?? name) + search
  const key = access === 'none' ? '' : ` \\\n  -H "Authorization: Bearer $${KEY_VARIABLE}"`
  // No `-X POST`: curl sends a POST if there is a body.
  const body = sent ? ` \\\n  -H 'Content-Type: application/json' -d '${JSON.stringify(sent)}'` : ''
  return `curl -s '${apiBase}${url}'${key}${body}`
}

const mcp = (apiBase: string): Html => html`<section id="mcp"><h2>MCP</h2>
<p>The operations that read as tools, named by their ids, at <code>POST /mcp</code>: Streamable HTTP, stateless, with the same bearer
key and the same quota. Histories and revisions of all indicators are <code>economics_list_observations</code> and
<code>economics_list_vintages</code>. A tool's text is the REST body, in shorter pages; an error carries its code and what to do.</p>
<pre data-base="${apiBase}">${JSON.stringify(
  {
    mcpServers: {
      almanac: {
        type: 'http',
        url: `${apiBase}/mcp`,
        headers: { Authorization: `Bearer \${${KEY_VARIABLE}}` },
      },
    },
  },
  null,
  2,
)}</pre></section>`

const codes = (): Html => html`<section id="codes"><h2>Codes</h2>
<h3>Commodities</h3>
${renderTable(
  [column('Code'), column('Commodity'), column('Priced for one')],
  Object.entries(commodities).map(([code, { name, unit }]) => ({
    cells: [html`<code>${code}</code>`, name, unit.replace('_', ' ')],
  })),
  { stacks: false },
)}
<h3>Currencies</h3><p class="list">${currencies.map((code) => html`<code>${code}</code> `)}</p>
<h3>Countries with public exports</h3><p class="list">${exportsCountries.map((code) => html`<code>${code}</code> `)}</p>
<h3>Event families</h3><p class="list">${eventFamilies.map((code) => html`<code>${code}</code> `)}</p>
<h3>Event types</h3><p class="list">${eventTypes.map((code) => html`<code>${code}</code> `)}</p>
</section>`

const planTable = (): Html => html`<section id="plans"><h2>Plans</h2>
${renderTable(
  [
    column('Plan'),
    figures('Calls a month'),
    figures('Calls a minute'),
    figures('Streams at once'),
    column('Prices stream'),
    column('Event families'),
  ],
  Object.entries(plans).map(([name, plan]) => ({
    cells: [
      name,
      thousands(plan.callsPerMonth),
      thousands(plan.callsPerMinute),
      plan.concurrentStreams,
      plan.pricesStream ? 'yes' : 'no',
      plan.families.join(', '),
    ],
  })),
)}
</section>`
