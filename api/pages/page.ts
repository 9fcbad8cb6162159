import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { etagOf } from '../answer.ts'
import { type Html, html } from './html.ts'

/** A page as it is served. It contains everything that it needs and may load nothing else. */
export type Page = {
  readonly body: string
  readonly etag: string
  readonly contentSecurityPolicy: string
  readonly referrerPolicy: 'no-referrer' | 'same-origin'
}

type Link = { readonly href: string; readonly text: string }

/**
 * A set of pages with a common header: the address behind its name, its links, and whether the set has the pages
 * `/problems/CODE`.
 */
export type Site = { readonly home: string; readonly links: readonly Link[]; readonly explainsProblems: boolean }

type PageParts = {
  readonly title: string
  /** Must contain the element `<main id="content">`, the target of the skip link. */
  readonly content: Html
  /** Shown above the content. */
  readonly notice?: Html | undefined
  readonly script?: string
  /** Rules besides those of all pages. */
  readonly style?: string
  /** What the page loads beside itself, and the other origin that it connects to. */
  readonly app?: PageApp
  /** Whether the page has forms that the browser sends. A page with a script calls the service by itself instead. */
  readonly sendsForms?: boolean
  readonly site?: Site
}

/** A page's program: addresses of this service with style sheets and modules, and data for it. */
type PageApp = {
  readonly styles: readonly string[]
  readonly modules: readonly string[]
  /** The module that is run; it imports the others. */
  readonly entry: string
  /** An origin other than the page's that its program may connect to, e.g. `ws://127.0.0.1:8081`. */
  readonly connectsTo: string
  /** Put into the page as JSON, in the element `#facts`. */
  readonly facts: object
}

export const publicSite: Site = {
  home: '/',
  links: [
    { href: '/docs', text: 'Reference' },
    { href: '/problems', text: 'Problems' },
    { href: '/openapi.json', text: 'OpenAPI' },
    { href: '/health', text: 'Health' },
  ],
  explainsProblems: true,
}

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')
export const style = read('./style.css')
export const consoleScript = read('./console.js')

const allow = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`
const allowedStyle = allow(style)

export function page(parts: PageParts): Page {
  const { title, content, notice, script, style: ownStyle, app, sendsForms = false, site = publicSite } = parts
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='-10 -10 20 20'%3E%3Ccircle r='5' fill='%23b5391f'/%3E%3Cpath stroke='%23b5391f' d='M0-9V9M-9 0H9M-6.4-6.4 6.4 6.4M-6.4 6.4 6.4-6.4'/%3E%3C/svg%3E">
<style>§style§</style>
${ownStyle !== undefined && html`<style>§own-style§</style>`}
${app?.styles.map((href) => html`<link rel="stylesheet" href="${href}">`)}
${app?.modules.map((href) => html`<link rel="modulepreload" href="${href}">`)}
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="masthead">
<a class="name" href="${site.home}">Almanac</a>
<nav aria-label="Pages">${site.links.map((link) => html`<a href="${link.href}">${link.text}</a>`)}</nav>
</header>
${notice && html`<aside class="notice" aria-label="Notice">${notice}</aside>`}
${content}
${script !== undefined && html`<script>§script§</script>`}
${app && html`<script type="application/json" id="facts">§facts§</script><script type="module" src="${app.entry}"></script>`}
</body>
</html>
`
  // Inserted unchanged, because the policy allows them by their hashes.
  const body = text
    .replace('§style§', () => style)
    .replace('§own-style§', () => ownStyle ?? '')
    .replace('§script§', () => script ?? '')
    .replace('§facts§', () => JSON.stringify(app?.facts).replaceAll('<', '\\u003c'))
  const contentSecurityPolicy = [
    "default-src 'none'",
    `style-src ${allowedStyle}${ownStyle === undefined ? '' : ` ${allow(ownStyle)}`}${app ? " 'self'" : ''}`,
    ...(script === undefined ? [] : [`script-src ${allow(script)}`, "connect-src 'self'"]),
    ...(app ? ["script-src 'self'", `connect-src 'self' ${app.connectsTo}`] : []),
    'img-src data:',
    "base-uri 'none'",
    `form-action ${sendsForms ? "'self'" : "'none'"}`,
    "frame-ancestors 'none'",
  ].join('; ')
  // With no-referrer a browser sends a page's forms with `Origin: null`, which can't be told from other sites' forms.
  const referrerPolicy = sendsForms ? 'same-origin' : 'no-referrer'
  return { body, etag: etagOf(body), contentSecurityPolicy, referrerPolicy }
}
