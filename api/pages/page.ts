import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { etagOf } from '../answer.ts'
import { type Html, html } from './html.ts'

/** A page as it is served: everything it needs is in it, and nothing else may be loaded. */
export type Page = { readonly body: string; readonly etag: string; readonly contentSecurityPolicy: string }

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')
const style = read('./style.css')
export const consoleScript = read('./console.js')

const allow = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`

export function page(title: string, content: Html, script?: string): Page {
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='-10 -10 20 20'%3E%3Ccircle r='5' fill='%23b5391f'/%3E%3Cpath stroke='%23b5391f' d='M0-9V9M-9 0H9M-6.4-6.4 6.4 6.4M-6.4 6.4 6.4-6.4'/%3E%3C/svg%3E">
<style>§style§</style>
</head>
<body>
<header class="masthead">
<a class="name" href="/">Almanac</a>
<nav><a href="/docs">Reference</a><a href="/problems">Problems</a><a href="/openapi.json">OpenAPI</a><a href="/health">Health</a></nav>
</header>
${content}
${script !== undefined && html`<script>§script§</script>`}
</body>
</html>
`
  // Put in as they are: their hashes are what the policy allows.
  const body = text.replace('§style§', () => style).replace('§script§', () => script ?? '')
  const contentSecurityPolicy = [
    "default-src 'none'",
    `style-src ${allow(style)}`,
    ...(script === undefined ? [] : [`script-src ${allow(script)}`, "connect-src 'self'"]),
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  return { body, etag: etagOf(body), contentSecurityPolicy }
}
