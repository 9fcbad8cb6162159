import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'

const SOCKET = 'unix:'

/**
 * Asks the embedded store over ClickHouse's HTTP interface and resolves with its rows. `url` in `store.json` of the data
 * directory says where it listens: `http://127.0.0.1:PORT`, or `unix:PATH` for a Unix socket, percent-encoded. A statement that gives no rows
 * resolves with none. Rejects if the store doesn't answer or refuses the statement.
 */
export async function storeRows<R>(dataDir: string, statement: string): Promise<R[]> {
  const { url } = JSON.parse(readFileSync(join(dataDir, 'store.json'), 'utf8')) as { url: string }
  const isSocket = url.startsWith(SOCKET)
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const sent = request(
    new URL('/?default_format=JSONEachRow', isSocket ? 'http://localhost' : url),
    { method: 'POST', ...(isSocket ? { socketPath: decodeURIComponent(url.slice(SOCKET.length)) } : {}) },
    (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        if (response.statusCode === 200) resolve(text)
        else reject(new Error(`the store answers ${response.statusCode}: ${text.slice(0, 500)}`))
      })
    },
  )
  sent.on('error', reject)
  sent.end(statement)
  const lines = (await promise).split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as R)
}
