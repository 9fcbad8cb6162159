import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'

const main = new URL('./support/get-main.ts', import.meta.url).pathname

/** A proxy that reaches nothing: it answers plain requests itself, and opens no tunnels. */
async function startProxy(): Promise<{ readonly port: number; readonly requests: string[] }> {
  const requests: string[] = []
  const proxy = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    response.end('by the proxy')
  })
  proxy.on('connect', (request, socket) => {
    requests.push(`${request.method} ${request.url}`)
    socket.end('HTTP/1.1 502 No\r\n\r\n')
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  return { port: (proxy.address() as AddressInfo).port, requests }
}

/** What a process with these variables gets from each address. */
async function got(addresses: readonly string[], env: Readonly<Record<string, string>>): Promise<string[]> {
  const args = ['--disable-warning=ExperimentalWarning', main, ...addresses]
  return (await promisify(execFile)(process.execPath, args, { env })).stdout.split('\n')
}

it.each(['127.0.0.1', 'localhost'])('publishers are asked through the proxy at %s that Node is given', async (host) => {
  const { port, requests } = await startProxy()
  const proxy = `http://${host}:${port}`
  const addresses = ['http://publisher.test/x', 'https://publisher.test/x', 'http://127.0.0.2/x', 'http://localhost/x']
  const env = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxy, HTTPS_PROXY: proxy, NO_PROXY: 'localhost' }
  const [plain, tunnelled, byNumber, direct] = await got(addresses, env)
  expect(plain).toBe('by the proxy')
  expect(tunnelled).toMatch(/^unreachable: .*502/)
  expect(byNumber).toMatch(/^host_not_allowed: /)
  // Not sent to the proxy, so its address is known here.
  expect(direct).toMatch(/^host_not_allowed: .*is not on the public internet/)
  expect(requests).toEqual(['GET http://publisher.test/x', 'CONNECT publisher.test:443'])
})

it('says that a proxy is not used, where it is named but Node is not told to use it', async () => {
  const { port, requests } = await startProxy()
  const proxy = { HTTPS_PROXY: `http://almanac:s3cret@127.0.0.1:${port}` }
  const [named] = await got(['http://publisher.invalid/x'], proxy)
  expect(named).toMatch(/^unreachable: .* HTTPS_PROXY is set, but it is used only with NODE_USE_ENV_PROXY=1\.$/)
  expect(named).not.toContain('s3cret')
  expect((await got(['http://publisher.invalid/x'], {}))[0]).not.toMatch(/PROXY/)
  expect(requests).toEqual([])
})
