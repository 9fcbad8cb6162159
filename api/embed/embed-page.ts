import { hash } from 'node:crypto'
import { plotSvg } from '../../console/browser/plot-svg.js'
import { spliceText } from '../../console/browser/splices.js'
import { etagOf } from '../answer.ts'
import { Html, html } from '../pages/html.ts'
import type { Page } from '../pages/page.ts'
import type { EmbeddedPlot } from './embedded-comparison.ts'

/** Colours and type of a plot's drawing, so that it stands on the page of others as one sheet. A narrow frame has a drawing of its own, whose texts can be read. */
const style = `
body { margin: 0; padding: .6rem .8rem; background: #fdfaf3; color: #211c15; font: 15px/1.4 Palatino, Georgia, serif }
h1 { margin: 0; font-size: 1.15rem; font-weight: normal }
p { margin: .2rem 0; color: #6b6153; font-size: .85rem }
a { color: #8a2a14 }
svg { display: block; width: 100%; height: auto }
.narrow { display: none }
@media (max-width: 40rem) { .wide { display: none } .narrow { display: block } }
`
const allowedStyle = `'sha256-${hash('sha256', style, 'base64')}'`

/** A page for a frame of others: without a program, a form or a picture, and framed by `ancestors` alone. */
function framedPage(title: string, content: Html, ancestors: readonly string[]): Page {
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>§style§</style>
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`
  const body = text.replace('§style§', () => style)
  const contentSecurityPolicy = [
    "default-src 'none'",
    `style-src ${allowedStyle}`,
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${ancestors.length > 0 ? ancestors.join(' ') : "'self'"}`,
  ].join('; ')
  return { body, etag: etagOf(body), contentSecurityPolicy, referrerPolicy: 'no-referrer' }
}

/** `address`: where the console shows the same. */
export function embedPage(
  { model, latest, left, sources }: EmbeddedPlot,
  address: string,
  ancestors: readonly string[],
): Page {
  const { title, unit, secondUnit, note } = model
  const [known] = note.split('\n')
  const below = [
    `${known}: ${latest.join('; ')}.`,
    left.length > 0 && `Not drawn: ${left.join('; ')}.`,
    spliceText(model),
  ]
  // Markup of our own drawing, which escapes its texts.
  const drawing = (width: number) => new Html(plotSvg(model, { width, isBare: true }))
  const content = html`<p>${unit}${secondUnit !== undefined && `; right: ${secondUnit}`}</p>
<div class="wide">${drawing(960)}</div>
<div class="narrow">${drawing(480)}</div>
<p>${below.filter(Boolean).join(' ')}</p>
<p>${sources.join('. ')}. <a href="${address}" target="_blank" rel="noopener">See it in Almanac</a></p>`
  return framedPage(title, content, ancestors)
}

/** What a frame shows if there is no plot. */
export const refusedEmbed = (detail: string, ancestors: readonly string[]): Page =>
  framedPage('This plot cannot be shown', html`<p>${detail}</p>`, ancestors)
