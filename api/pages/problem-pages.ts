import { operations } from '../../contracts/operations.ts'
import { type Problem, type ProblemCode, problems, toProblem } from '../../contracts/problems.ts'
import { type Html, html } from './html.ts'
import { type Page, page, type Site } from './page.ts'
import { column, figures, renderTable } from './table.ts'

/** Every problem code. `Object.keys` types its result as texts only. */
export const problemCodes = Object.keys(problems) as ProblemCode[]

export const problemIndex = (notice?: Html): Page =>
  page({
    title: 'Problems · Almanac',
    notice,
    content: html`<main id="content" class="plain">
<h1>Problems</h1>
<p class="lead">Every error is a problem document (RFC 9457), <code>application/problem+json</code>. Its <code>code</code>
is stable; its <code>type</code> points here.</p>
${renderTable(
  [figures('Status'), column('Code'), column('What to do')],
  problemCodes.map((code) => ({
    cells: [problems[code].status, html`<a href="/problems/${code}"><code>${code}</code></a>`, problems[code].advice],
  })),
)}
<p>Errors of the WebSocket streams have a <a href="/docs#stream-errors">table of their own</a>, with their close codes.</p>
</main>`,
  })

/** The page of one problem, which its `type` links to. */
export function problemPage(code: ProblemCode, notice?: Html): Page {
  const { status, title, advice, retry } = problems[code]
  const from = operations.filter((operation) => operation.problems.includes(code))
  const example = toProblem(code, 'What is wrong, in one sentence.', 'k3Jx0aPq-1f', from[0]?.path ?? '/')
  return page({
    title: `${title} · Almanac`,
    notice,
    content: html`<main id="content" class="plain">
<p class="kicker"><a href="/problems">Problems</a> · ${status}</p>
<h1>${title}</h1>
<p class="lead">${advice}</p>
<dl class="facts">
<dt>Code</dt><dd><code>${code}</code></dd>
<dt>Status</dt><dd>${status}</dd>
<dt>Retry</dt><dd>${retry ? 'Yes, after the seconds in the header Retry-After' : 'No'}</dd>
<dt>Returned by</dt><dd>${from.length === 0 ? 'Any call' : from.map(({ id, path }) => html`<a href="/docs#${id}"><code>${path}</code></a><br>`)}</dd>
</dl>
<pre>${JSON.stringify(example, null, 2)}</pre>
</main>`,
  })
}

/** The page that answers a failed request of a browser. The cast: a problem document types its code as a text. */
export const problemAnswer = ({ status, title, detail, code, request_id }: Problem, site: Site): Page =>
  page({
    title: `${title} · Almanac`,
    site,
    content: html`<main id="content" class="plain">
<p class="kicker">${status}</p>
<h1>${title}</h1>
<p class="lead">${detail}</p>
<dl class="facts"><dt>Code</dt><dd><code>${code}</code></dd><dt>Request</dt><dd><code>${request_id}</code></dd></dl>
${site.explainsProblems && html`<p>${problems[code as ProblemCode].advice}</p>`}
<p><a class="button" href="${site.home}">Home page</a></p>
</main>`,
  })
