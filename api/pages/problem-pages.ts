import { operations } from '../../contracts/operations.ts'
import { type ProblemCode, problems, toProblem } from '../../contracts/problems.ts'
import { html } from './html.ts'
import { type Page, page } from './page.ts'

const codes = Object.keys(problems) as ProblemCode[]

/** All problems on one page, and one page for each: what a problem's `type` points at. */
export const problemIndex = (): Page =>
  page(
    'Problems · Almanac',
    html`<main class="plain">
<h1>Problems</h1>
<p class="lead">Every error is a problem document (RFC 9457), <code>application/problem+json</code>. Its <code>code</code>
is stable; its <code>type</code> points here.</p>
<table class="ledger"><thead><tr><th>Status</th><th>Code</th><th>What to do</th></tr></thead><tbody>
${codes.map(
  (code) => html`<tr><td class="figure">${problems[code].status}</td>
<td><a href="/problems/${code}"><code>${code}</code></a></td><td>${problems[code].advice}</td></tr>`,
)}
</tbody></table>
<p>Errors of the WebSocket streams have a <a href="/docs#stream-errors">table of their own</a>, with their close codes.</p>
</main>`,
  )

export const problemPages = (): ReadonlyMap<string, Page> => new Map(codes.map((code) => [code, problemPage(code)]))

function problemPage(code: ProblemCode): Page {
  const { status, title, advice, retry } = problems[code]
  const from = operations.filter((operation) => operation.problems.includes(code))
  const example = toProblem(code, 'What was wrong, in one sentence.', 'k3Jx0aPq-1f', from[0]?.path ?? '/')
  return page(
    `${title} · Almanac`,
    html`<main class="plain">
<p class="kicker"><a href="/problems">Problems</a> · ${status}</p>
<h1>${title}</h1>
<p class="lead">${advice}</p>
<dl class="facts">
<dt>Code</dt><dd><code>${code}</code></dd>
<dt>Status</dt><dd>${status}</dd>
<dt>Worth repeating</dt><dd>${retry ? 'Yes, after the seconds in the header Retry-After' : 'Not as it is'}</dd>
<dt>Can end</dt><dd>${from.length === 0 ? 'Any call' : from.map(({ id, path }) => html`<a href="/docs#${id}"><code>${path}</code></a><br>`)}</dd>
</dl>
<pre>${JSON.stringify(example, null, 2)}</pre>
</main>`,
  )
}
