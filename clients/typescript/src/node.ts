/** The client for Node: as `index.ts`, with `ws` for its sockets if it is installed, and a store in a file. */
import { randomUUID } from 'node:crypto'
import { open, readFile, rename, rm } from 'node:fs/promises'
import { AlmanacClient, type AlmanacOptions } from './client.ts'
import type { CursorStore } from './cursor-store.ts'
import { type SocketOpener, standardSockets } from './socket.ts'
import { type WsClass, wsSockets } from './ws-socket.ts'

export * from './index.ts'
export { wsSockets }

/** Takes the place of the one that `index.ts` exports, with sockets of `ws` if it is installed. */
export class Almanac<D = string> extends AlmanacClient<D> {
  constructor(options: AlmanacOptions<D> = {}) {
    super({ sockets: nodeSockets, ...options })
  }
}

/** Sockets of `ws`, or Node's own if it is not installed: those cannot stop reading, and exist from Node 22 on. */
async function nodeSockets(): Promise<SocketOpener> {
  const name = 'ws'
  const ws: unknown = await import(name).catch(() => undefined)
  // A cast: the package has this export since version 8.
  if (ws) return wsSockets((ws as { WebSocket: WsClass }).WebSocket)
  if (typeof WebSocket === 'undefined')
    throw new Error('Install the package ws: this version of Node has no WebSocket.')
  return standardSockets
}

/** Keeps the cursor in a file. Each save replaces the file as a whole, so that a crash leaves the old cursor or the new one. */
export const fileCursor = (path: string): CursorStore => ({
  async load() {
    try {
      return (await readFile(path, 'utf8')).trim() || null
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
      throw error
    }
  },
  async save(cursor) {
    const next = `${path}.${randomUUID()}`
    try {
      const file = await open(next, 'w')
      try {
        await file.writeFile(`${cursor}\n`)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(next, path)
    } catch (error) {
      await rm(next, { force: true })
      throw error
    }
  },
})
