import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Serves a page of somebody else on a free port of the loopback: `page` makes it of the path and query that are asked for. */
export async function servePage(page: (path: string) => string): Promise<{ base: string; close(): Promise<void> }> {
  const server = createServer(({ url = '/' }, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8').end(page(url))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // Cast: a server on a port has an address with one.
  const { port } = server.address() as AddressInfo
  return {
    base: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  }
}
