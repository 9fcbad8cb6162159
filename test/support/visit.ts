import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { browserName } from './browser.ts'

/** Serves one page, and answers what it posts; `answer` returns the text of the answer. */
export async function servePage(
  html: string,
  answer: (path: string, body: string) => string | Promise<string>,
): Promise<{ readonly origin: string }> {
  const server = createServer(async (request, response) => {
    try {
      const body = Buffer.concat(await request.toArray()).toString()
      const isPage = request.method === 'GET'
      response.setHeader('content-type', isPage ? 'text/html' : 'application/json')
      response.end(isPage ? html : await answer(request.url ?? '', body))
    } catch {
      response.destroy()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => server.closeAllConnections())
  onTestFinished(() => void server.close())
  return { origin: `http://localhost:${(server.address() as AddressInfo).port}` }
}

/** Opens an address in a browser until the test has finished; the browser's processes can be stopped and told to go on. */
export async function visit(url: string): Promise<{ signal(name: 'SIGSTOP' | 'SIGCONT'): void }> {
  const profile = await mkdtemp(join(tmpdir(), 'almanac-browser-'))
  // The debugging port keeps it open once the page is loaded; a group of its own, to reach all its processes.
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--remote-debugging-port=0']
  const child = spawn(browserName ?? 'chromium', [...flags, `--user-data-dir=${profile}`, url], {
    detached: true,
    stdio: 'ignore',
  })
  const signal = (name: NodeJS.Signals) => process.kill(-(child.pid ?? 0), name)
  onTestFinished(async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    signal('SIGKILL')
    await ended
    await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  })
  return { signal }
}
