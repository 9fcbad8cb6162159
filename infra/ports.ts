import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'

/**
 * Bounds of the ports, below the range from which the kernel draws ports of outgoing connections. In that range, a client
 * that keeps connecting to a stopped service's port may get that same port as its own. It then talks to itself, and the
 * service cannot start again.
 */
const LOWEST = 20_000
const HIGHEST = 32_000

const MOST_TRIES = 1_000

/** Returns `count` loopback ports that are free, and that no running process has got from this function. */
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
  // A cast, because `freePorts` returns as many as it was asked for, or throws.
  return port as number
}

export const isFree = (port: number): Promise<boolean> => tryPort(port, '127.0.0.1').then(() => true, falseIfInUse)

/** Returns false for a port in use. Throws any other error (no descriptors, no rights), because no other port would help. */
function falseIfInUse(error: NodeJS.ErrnoException): boolean {
  if (error.code === 'EADDRINUSE') return false
  throw error
}

/** Listens on a port for a moment. Rejects with the system's error if that fails. */
export function tryPort(port: number, host: string): Promise<void> {
  const server = createServer()
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => server.close(() => resolve()))
  })
}

/**
 * Reserves a port for this process, and returns false if another process has reserved it. The process may listen only much
 * later. So until it ends, it keeps a UDP socket of the same number as the mark of its reservation.
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
