import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { landingPage } from '../../api/pages/landing.ts'
import { assets, entryPath, modulePaths, stylePaths } from '../../console/assets.ts'
import { ask, world } from '../api/support.ts'

const page = landingPage('ws://streams.test:8081')

describe('the console as it is served', () => {
  it('weighs at most 140 KB, compressed', () => {
    const bytes = [page.body, ...assets.map(({ body }) => body)].map((body) => gzipSync(body).length)
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(140_000)
  })

  it('is all at addresses that name its content, and is never asked for again', async () => {
    const { app } = await world()
    for (const { path, contentType, body } of assets) {
      const answer = await ask(app, { url: path, headers: {} })
      expect(answer.body, path).toBe(body)
      expect(answer.headers).toMatchObject({
        'content-type': contentType,
        'cache-control': 'public, max-age=31536000, immutable',
      })
      const again = await ask(app, { url: path, headers: { 'if-none-match': String(answer.headers.etag) } })
      expect(again.statusCode, path).toBe(304)
    }
    const coded = await app.inject({ url: entryPath, headers: { 'accept-encoding': 'br, gzip' } })
    expect(coded.headers['content-encoding']).toBe('br')
  })

  it('is served without comments that have lines of their own, and otherwise as it is written', () => {
    // The compiler prints a module again from its meaning, without any comment or choice of spacing.
    const meaning = (module: string) =>
      stripTypeScriptTypes(module, { mode: 'transform' }).replaceAll(/\s+|\/\*.*?\*\//gs, ' ')
    const own = assets.filter(({ path }) => path.endsWith('.js') && !path.endsWith('/uplot.js'))
    expect(own.length).toBeGreaterThan(30)
    for (const { path, body } of own) {
      const written = readFileSync(`console/browser/${path.split('/').slice(3).join('/')}`, 'utf8')
      expect(meaning(body), path).toBe(meaning(written))
      expect(body, path).not.toMatch(/^\s*(?:\/\/.*|\/\*.*\*\/)$/m)
    }
  })

  it('imports only what is served beside it', () => {
    const served = new Set(modulePaths)
    for (const { path, body } of assets) {
      for (const [, target = ''] of body.matchAll(/^(?:import|export)[^'"]*? from '([^']+)'/gm)) {
        expect(served, `${path} imports ${target}`).toContain(new URL(target, `http://x${path}`).pathname)
      }
    }
    expect(served).toContain(entryPath)
  })

  it('keeps nothing where another tab or a server sees it', () => {
    for (const { path, body } of assets)
      expect(body, path).not.toMatch(/localStorage|indexedDB|BroadcastChannel|document\.cookie|cookieStore/)
  })

  it('is refused by another version’s address, and in other methods', async () => {
    const { app } = await world()
    const gone = await ask(app, { url: '/assets/0000000000000000/main.js', headers: {} })
    expect(gone.problem.code).toBe('route_not_found')
    const posted = await ask(app, { method: 'POST', url: entryPath, headers: {} })
    expect(posted.problem.code).toBe('method_not_allowed')
    expect(posted.headers.allow).toBe('GET, HEAD, OPTIONS')
  })

  it('may run its own files and connect to its own streams, and nothing else', () => {
    const directives = new Map(
      page.contentSecurityPolicy.split('; ').map((directive) => {
        const [name = '', ...values] = directive.split(' ')
        return [name, values]
      }),
    )
    expect(directives.get('default-src')).toEqual(["'none'"])
    expect(directives.get('script-src')).toEqual(["'self'"])
    expect(directives.get('connect-src')).toEqual(["'self'", 'ws://streams.test:8081'])
    expect(directives.get('style-src')).toEqual([expect.stringMatching(/^'sha256-/), "'self'"])
    expect(page.contentSecurityPolicy).not.toContain('unsafe')
  })

  it('is a page without its program, too: it says what this is and leads on', () => {
    const plain = page.body.replace(/<script[\s\S]*?<\/script>/g, '')
    expect(plain).toContain('<html lang="en">')
    // Without it a telephone lays the page out for a wide screen.
    expect(plain).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">')
    expect(plain).toContain('<h1>What was published, when, and how it was revised.</h1>')
    for (const link of ['/docs', '/openapi.json', '/problems', '/health']) expect(plain).toContain(`href="${link}"`)
    // What needs the program is not shown without it.
    expect(plain).toMatch(/<nav class="views"[^>]* hidden>/)
    expect(stylePaths.length).toBeGreaterThan(1)
  })
})
