import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ClientGone, collect, readBody } from '../../projections/store/body.ts'

const head = (length: number) => `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`

/** A request as a server gets it, and what ends the client that sent it. */
async function requestOf(bytes: string | Buffer): Promise<{ request: IncomingMessage; leave: () => void }> {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  onTestFinished(() => void client.destroy())
  client.on('error', () => undefined).write(bytes)
  const [request] = (await once(server, 'request')) as [IncomingMessage]
  return { request, leave: () => client.destroy() }
}

describe('the body of a request', () => {
  it('is read whole', async () => {
    const { request } = await requestOf(`${head(5)}whole`)
    expect(String(await collect(readBody(request, undefined, 5)))).toBe('whole')
  })

  it.each([
    ['in the middle of it, before anybody reads', `${head(1_000)}half`],
    ['with all of it sent, before anybody reads', `${head(4)}full`],
  ])('is not waited for when its client has left %s', async (_, bytes) => {
    const { request, leave } = await requestOf(bytes)
    const closed = once(request, 'close').catch(() => undefined)
    leave()
    await closed
    await expect.poll(() => request.closed).toBe(true)
    await expect(collect(readBody(request, undefined, 1_000))).rejects.toThrow(ClientGone)
  })

  it.each([
    [undefined, Buffer.from('half')],
    ['gzip', gzipSync('half').subarray(0, 12)],
  ] as const)('is not waited for when its client leaves while it is read (%s)', async (coding, part) => {
    const { request, leave } = await requestOf(Buffer.concat([Buffer.from(head(1_000)), part]))
    const reading = collect(readBody(request, coding, 1_000))
    leave()
    await expect(reading).rejects.toThrow(ClientGone)
  })
})
