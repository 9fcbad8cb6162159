import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * What happens to one INSERT on its way:
 * - `cut_before`: the connection breaks, nothing gets there
 * - `cut_midway`: it breaks once half of the rows are there, whole ones
 * - `cut_after`: it is done, the answer is lost
 * - `drop`: it is answered with success, and nothing gets there: a block that ClickHouse has deduplicated
 * - `cut_and_deliver_late`: the connection breaks at once, and the INSERT arrives while the next one is under way
 */
export type Fault = 'cut_before' | 'cut_midway' | 'cut_after' | 'drop' | 'cut_and_deliver_late'

export type FaultyProxy = {
  readonly url: string
  /** Faults for the next INSERTs, in order; taken off the list as they strike. */
  readonly faults: Fault[]
  /** Tokens of the INSERTs as they came. */
  readonly tokens: string[]
  close(): Promise<void>
}

/**
 * Stands between a client and the store, and breaks what it is told to break. A statement for which `isCut` returns true
 * does not get there, and its connection breaks.
 */
export async function startFaultyProxy(
  storeUrl: string,
  isCut: (statement: string) => boolean = () => false,
): Promise<FaultyProxy> {
  const faults: Fault[] = []
  const tokens: string[] = []
  const held: (() => Promise<unknown>)[] = []
  const server = createServer(async (asked, answer) => {
    const body = Buffer.concat(await Array.fromAsync(asked as AsyncIterable<Buffer>))
    const search = new URL(asked.url ?? '', storeUrl).searchParams
    // An INSERT's rows are the body, its text is in the address; INSERT … SELECT is all body.
    const statement = (search.get('query') ?? body.toString()).trimStart()
    if (isCut(statement)) return void asked.socket.destroy()
    const inserts = statement.startsWith('INSERT')
    if (inserts) tokens.push(search.get('insert_deduplication_token') ?? '')
    const fault = inserts ? faults.shift() : undefined
    if (fault === 'drop') return void answer.end()
    if (fault === 'cut_before') return void asked.socket.destroy()
    if (fault === 'cut_midway') {
      await forwardHalf(storeUrl, asked, body)
      return void asked.socket.destroy()
    }
    if (fault === 'cut_and_deliver_late') {
      held.push(() => forward(storeUrl, asked, body))
      return void asked.socket.destroy()
    }
    const late = inserts ? held.splice(0).map((deliver) => deliver()) : []
    const answers = await Promise.all([forward(storeUrl, asked, body), ...late])
    if (fault === 'cut_after') return void asked.socket.destroy()
    send(answer, answers[0])
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    tokens,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

type Answer = { readonly message: IncomingMessage; readonly body: Buffer }

async function forward(storeUrl: string, asked: IncomingMessage, body: Buffer): Promise<Answer> {
  const { 'transfer-encoding': _, connection: __, ...headers } = asked.headers
  const sent = request(new URL(asked.url ?? '', storeUrl), {
    method: asked.method ?? 'POST',
    headers: { ...headers, 'content-length': String(body.length) },
  })
  sent.end(body)
  const [message] = (await once(sent, 'response')) as [IncomingMessage]
  return { message, body: Buffer.concat(await Array.fromAsync(message as AsyncIterable<Buffer>)) }
}

/** As the client sends: chunk by chunk, and the empty one that ends the body never comes. */
async function forwardHalf(storeUrl: string, asked: IncomingMessage, body: Buffer): Promise<void> {
  const { connection: _, ...headers } = asked.headers
  const sent = request(new URL(asked.url ?? '', storeUrl), { method: asked.method ?? 'POST', headers })
  sent.on('error', () => undefined) // its end is meant
  const half = body.subarray(0, body.indexOf('\n', body.length / 2) + 1)
  await new Promise((written) => sent.write(half, written))
  const closed = new Promise((close) => sent.once('close', close))
  sent.destroy()
  await closed
}

function send(answer: ServerResponse, { message, body }: Answer): void {
  const { 'transfer-encoding': _, connection: __, ...headers } = message.headers
  answer.writeHead(message.statusCode ?? 500, { ...headers, 'content-length': body.length })
  answer.end(body)
}
