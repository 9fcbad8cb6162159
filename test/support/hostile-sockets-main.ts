import { connect, type Socket } from 'node:net'

/**
 * Opens sockets that harm by being there, in a process of its own with descriptors of its own, and opens each again a second
 * after the server has closed it. Prints a line of figures a second; ends with its parent.
 *
 *   node hostile-sockets-main.ts PORT ADDRESS COUNT VARIANT PATH
 */
const [port = '', from = '', count = '', variant = '', path = ''] = process.argv.slice(2)
const AGAIN_MS = 1_000
/** New sockets a second, at most: what is tried is sockets that stay, not a flood of packets. */
const PER_SECOND = 2_000
const SLICE_MS = 20
const DRIP_EVERY_MS = 1_000

const handshake = [
  `GET ${path} HTTP/1.1`,
  'Host: a.test',
  'Upgrade: websocket',
  'Connection: Upgrade',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Version: 13',
]
const first: Readonly<Record<string, string | Buffer>> = {
  'half-open': '',
  'slow headers': `GET ${path} HTTP/1.1\r\nHost: a.test\r\n`,
  'slow body': 'POST /mcp HTTP/1.1\r\nHost: a.test\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n',
  'upgraded, then silent': `${handshake.join('\r\n')}\r\n\r\n`,
  garbage: Buffer.from('16030100f1010000ed0303', 'hex'),
}
const drips: Readonly<Record<string, string>> = { 'slow headers': 'X-Slow: 1\r\n', 'slow body': ' ' }
const opening = first[variant]
if (opening === undefined) throw new Error(`no such variant: ${variant}`)

let wanted = Number(count)
let opened = 0
let ended = 0
const open = new Set<Socket>()

function openOne(): void {
  const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: from, allowHalfOpen: true })
  socket.on('connect', () => {
    opened++
    open.add(socket)
    if (opening !== undefined && opening.length > 0) socket.write(opening)
  })
  // Its own side stays open after the server's FIN: only a reset or a deadline of its own ends it.
  socket.on('end', () => {
    ended++
    setTimeout(() => socket.destroy(), 10 * AGAIN_MS)
  })
  socket.on('data', () => undefined)
  socket.on('error', () => undefined)
  socket.on('close', () => {
    open.delete(socket)
    setTimeout(() => wanted++, AGAIN_MS)
  })
}

setInterval(() => {
  for (let i = 0; i < (PER_SECOND * SLICE_MS) / 1_000 && wanted > 0; i++) {
    wanted--
    openOne()
  }
}, SLICE_MS)
setInterval(() => {
  const drip = drips[variant]
  if (drip) for (const socket of open) if (socket.writable) socket.write(drip)
}, DRIP_EVERY_MS)
setInterval(() => process.stdout.write(`${JSON.stringify({ opened, ended, open: open.size })}\n`), 250)
process.stdin.on('end', () => process.exit(0)).resume()
