import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pathToFileURL } from 'node:url'

/** One request, by the host and path that a node took it to; `pid` is the node's process. */
export type Asked = { readonly what: string; readonly pid: number; readonly at: number }

/** How a page is answered; called once a request. */
export type Page = (response: ServerResponse, asked: Asked) => void

export type Publishers = {
  readonly asked: readonly Asked[]
  /** How often each page was asked for. */
  counts(): Record<string, number>
  /** What makes a node ask here instead of the publishers themselves. */
  readonly environment: Readonly<Record<string, string>>
  close(): void
}

/** The servers of all publishers in one, on loopback; a page that it doesn't have is a 404. */
export async function startPublishers(pages: Readonly<Record<string, Page>>): Promise<Publishers> {
  const asked: Asked[] = []
  const server = createServer(({ url = '', headers }, response) => {
    const one = { what: url.slice(1), pid: Number(headers['asked-by']), at: Date.now() }
    asked.push(one)
    const page = pages[one.what]
    if (page) page(response, one)
    else response.writeHead(404).end('no such page')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    asked,
    counts() {
      const counts: Record<string, number> = {}
      for (const { what } of asked) counts[what] = (counts[what] ?? 0) + 1
      return counts
    },
    environment: {
      TEST_PUBLISHERS: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      NODE_OPTIONS: `--import=${pathToFileURL(`${import.meta.dirname}/redirect.ts`)}`,
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
