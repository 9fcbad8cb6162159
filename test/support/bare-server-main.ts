import { createServer } from 'node:net'

/**
 * The least that a server can do with hostile sockets: accept each and reset it. Beside the service it shows what an attack
 * costs the machine itself. Prints its port; ends with its parent.
 */
const server = createServer((socket) => socket.on('error', () => undefined).resetAndDestroy())
server.listen(0, '127.0.0.1', 16_384, () => {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no TCP address')
  process.stdout.write(`${address.port}\n`)
})
process.stdin.on('end', () => process.exit(0)).resume()
