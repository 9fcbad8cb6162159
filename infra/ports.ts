import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'

/**
 * Below the range that the kernel draws from for outgoing connections: a client that keeps dialling the port of a stopped
 * service there can be given that very port, talks to itself and keeps the service from starting again.
 */
const LOWEST = 20_000
const HIGHEST = 32_000

const MOST_TRIES = 1_000

/** `count` loopback ports that nothing listens on now and that no process has been given that still runs. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = []
  for (let tries = 0; ports.length < count; tries++) {
    if (tries > count + MOST_TRIES) throw new Error(`no free port from ${LOWEST} to ${HIGHEST} on 127.0.0.1`)
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST))
    if ((await mark(port)) && (await isFree(port))) ports.push(port)
  }
  return ports
}

export async function freePort(): Promise<number> {
  const [port] = await freePorts(1)
  return port as number
}

export const isFree = (port: number): Promise<boolean> => tryPort(port, '127.0.0.1').then(() => true, falseIfInUse)

/** Anything else (no file descriptors, no rights) is as bad at the next port. */
function falseIfInUse(error: NodeJS.ErrnoException): boolean {
  if (error.code === 'EADDRINUSE') return false
  throw error
}

/** Listens there for a moment. Rejects with the system's error where that can't be. */
export function tryPort(port: number, host: string): Promise<void> {
  const server = createServer()
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => server.close(() => resolve()))
  })
}

/**
 * Whether the port was nobody's. Whoever is given one may listen much later: until this process ends, a datagram socket of
 * the same number tells every other that it is taken.
 */
const mark = (port: number): Promise<boolean> =>
  new Promise<boolean>((resolve, reject) => {
    const socket = createSocket('udp4')
    socket.once('error', (error) => socket.close(() => reject(error)))
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => {
      socket.unref()
      resolve(true)
    })
  }).catch(falseIfInUse)
