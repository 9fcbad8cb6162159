import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'

/**
 * Below the range that the kernel draws from for outgoing connections: a client that keeps dialling the port of a stopped
 * service there can be given that very port, talks to itself and keeps the service from starting again.
 */
const LOWEST = 20_000
const HIGHEST = 32_000

/** `count` loopback ports that nothing listens on now and that no process has been given that still runs. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = []
  while (ports.length < count) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST))
    if ((await mark(port)) && (await isFree(port))) ports.push(port)
  }
  return ports
}

export async function freePort(): Promise<number> {
  const [port] = await freePorts(1)
  return port as number
}

export const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

/**
 * Whether the port was nobody's. Whoever is given one may listen much later: until this process ends, a datagram socket of
 * the same number tells every other that it is taken.
 */
const mark = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createSocket('udp4')
    socket.once('error', () => socket.close(() => resolve(false)))
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => {
      socket.unref()
      resolve(true)
    })
  })
