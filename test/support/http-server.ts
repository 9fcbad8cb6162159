import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export type Exchange = (request: IncomingMessage, response: ServerResponse) => void

/** An HTTP server on loopback for one test. `requests` are the paths and queries it was asked for, in order. */
export async function serve(exchange: Exchange): Promise<{ readonly address: string; readonly requests: string[] }> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    exchange(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}
