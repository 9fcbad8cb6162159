import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { type Browser, openBrowser } from './browser.ts'

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

/** Opens an address in a browser, which stays until the test has finished. */
export async function visit(url: string): Promise<Browser> {
  const browser = await openBrowser()
  onTestFinished(() => browser.close())
  const tab = await browser.newTab()
  await tab.open(url)
  return browser
}
