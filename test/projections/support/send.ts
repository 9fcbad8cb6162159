import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { parseSocketAddress } from '../../../base/socket-address.ts'

export type Reply = { readonly status: number; readonly code: string | undefined; readonly text: string }
export type Request = {
  readonly method?: string
  readonly search?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends one request by hand to a store at `url`, http or unix, on a connection of its own. */
export async function send(url: string, sql: string, asked: Request = {}): Promise<Reply> {
  const { method = 'POST', search = {}, headers = {} } = asked
  const socket = parseSocketAddress(url)
  const { hostname, port } = socket ? { hostname: 'localhost', port: 80 } : new URL(url)
  const query = method === 'GET' ? { ...search, query: sql } : search
  const sent = request({
    ...(socket ? { socketPath: socket.path } : { hostname, port }),
    method,
    path: `/?${new URLSearchParams(query)}`,
    headers,
    agent: false,
  })
  sent.end(method === 'GET' ? undefined : sql)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  const code = answer.headers['x-clickhouse-exception-code']
  const text = Buffer.concat(await Array.fromAsync(answer as AsyncIterable<Buffer>)).toString()
  return { status: answer.statusCode ?? 0, code: typeof code === 'string' ? code : undefined, text }
}
