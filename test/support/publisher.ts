import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export type Page = {
  readonly body: Uint8Array | string
  readonly status?: number
  readonly headers?: Record<string, string>
}

/** A publisher's server on this machine, for the length of one test. */
export async function publisher(pages: Readonly<Record<string, Page>>): Promise<{
  readonly address: string
  /** Paths asked for, in order, each with the user agent that asked. */
  readonly asked: { readonly path: string; readonly userAgent: string | undefined }[]
}> {
  const asked: { path: string; userAgent: string | undefined }[] = []
  const server = createServer((request, response) => {
    asked.push({ path: request.url ?? '', userAgent: request.headers['user-agent'] })
    const page = pages[request.url ?? '']
    response.writeHead(page ? (page.status ?? 200) : 404, page?.headers)
    response.end(page?.body ?? 'no such page')
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}
