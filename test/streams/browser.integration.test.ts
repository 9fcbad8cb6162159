import { expect, it, onTestFinished } from 'vitest'
import { streamLimits } from '../../contracts/streams.ts'
import type { StreamEnding } from '../../streams/server.ts'
import { hasNoBrowser } from '../support/browser.ts'
import { until } from '../support/journal.ts'
import { servePage, visit } from '../support/visit.ts'
import { startStubServer } from './stub-server.ts'

/** What a page saw of a connection; `ms`: from the last message to its close event. */
type Seen = {
  readonly name: string
  readonly last: object
  readonly code: number
  readonly reason: string
  readonly wasClean: boolean
  readonly ms: number
}

/** Opens a stream for each ending, brings the ending about, and reports each. */
const pageOf = (urls: Readonly<Record<string, string>>) => `<!doctype html><script type="module">
for (const [name, url] of Object.entries(${JSON.stringify(urls)})) {
  const socket = new WebSocket(url)
  let last, at
  socket.onmessage = ({ data }) => {
    at = performance.now()
    last = JSON.parse(data)
    if (last.type === 'ready') socket.send(JSON.stringify({ action: name === 'an error' ? 'dance' : 'subscribe' }))
    if (last.type === 'subscribed') fetch('/cause', { method: 'POST', body: name })
  }
  socket.onclose = ({ code, reason, wasClean }) => {
    const seen = { name, last, code, reason, wasClean, ms: performance.now() - at }
    fetch('/seen', { method: 'POST', body: JSON.stringify(seen) })
  }
}
</script>`

/** Longest time from the last message to the close event. A busy machine may be late once, but not in every try. */
const AT_ONCE_MS = 200

it.skipIf(hasNoBrowser)(
  'a page in a browser sees how each connection ends, at once',
  {
    retry: 2,
  },
  async () => {
    const endings: { readonly ending: StreamEnding; readonly at: number }[] = []
    const plain = await startStubServer()
    const revoked = await startStubServer()
    const drained = await startStubServer()
    const slow = await startStubServer(
      { onEnd: (_, ending) => endings.push({ ending, at: performance.now() }) },
      (outlet) => {
        const frame = Buffer.from('{"type":"prediction"}')
        const sending = setInterval(() => outlet.send(frame), 100)
        onTestFinished(() => clearInterval(sending))
      },
    )
    const seen = new Map<string, Seen>()
    let isSlowReading = false
    const causes: Readonly<Record<string, () => void>> = {
      revoked: () => (revoked.state.isRevoked = true),
      'a drain': () => void drained.drain(),
      slow: () => (isSlowReading = true),
    }
    const urls = {
      refused: plain.url,
      'an error': `${plain.url}?ticket=x`,
      revoked: `${revoked.url}?ticket=x`,
      'a drain': `${drained.url}?ticket=x`,
      slow: `${slow.url}?ticket=x`,
    }
    const { origin } = await servePage(pageOf(urls), (path, body) => {
      if (path === '/cause') causes[body]?.()
      else seen.set(JSON.parse(body).name, JSON.parse(body))
      return '{}'
    })
    const browser = await visit(origin)
    await until('four have ended', () => seen.size === 4 && isSlowReading)
    const saw = (name: string) => {
      const { ms, ...rest } = seen.get(name) as Seen
      expect(ms, name).toBeLessThan(AT_ONCE_MS)
      return rest
    }
    const dance = 'Unknown action "dance". Use subscribe or ping.'
    const error = (code: string, detail?: string) => ({ type: 'error', code, ...(detail ? { detail } : {}) })
    expect(saw('refused')).toEqual({
      name: 'refused',
      last: error('unauthorized', 'No key.'),
      code: 4401,
      reason: 'unauthorized: No key.',
      wasClean: true,
    })
    expect(saw('an error')).toEqual({
      name: 'an error',
      last: error('invalid_command', dance),
      code: 4400,
      reason: `invalid_command: ${dance}`,
      wasClean: true,
    })
    expect(saw('revoked')).toEqual({
      name: 'revoked',
      last: error('revoked'),
      code: 4401,
      reason: 'revoked',
      wasClean: true,
    })
    expect(saw('a drain')).toEqual({
      name: 'a drain',
      last: { type: 'notice', code: 'going_away', reconnect_in_ms: expect.any(Number) },
      code: 1001,
      reason: 'going_away',
      wasClean: true,
    })

    // All processes of the browser stand still, so that none of them reads.
    browser.signal('SIGSTOP')
    const stoppedAt = performance.now()
    await until('it is let go', () => endings.length > 0)
    browser.signal('SIGCONT')
    expect(endings[0]?.ending).toBe('slow_consumer')
    expect((endings[0]?.at ?? 0) - stoppedAt).toBeGreaterThanOrEqual(streamLimits.stalledMs)
    expect((endings[0]?.at ?? 0) - stoppedAt).toBeLessThan(streamLimits.stalledMs + 1_750)
    await until('the page sees it', () => seen.has('slow'))
    expect(saw('slow')).toMatchObject({
      last: { type: 'error', code: 'slow_consumer' },
      code: 4408,
      reason: expect.stringMatching(/^slow_consumer: /),
      wasClean: true,
    })
  },
)
