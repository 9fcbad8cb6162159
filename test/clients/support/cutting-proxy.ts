import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A TCP proxy in front of a port of this machine that breaks connections, as networks do. */
export type CuttingProxy = {
  readonly port: number
  /** Connections that were cut in the middle of something. */
  cuts(): number
  close(): void
}

/**
 * `cutAfter` is asked for each connection after how many bytes of the server it is cut, by a reset; undefined: never. The
 * bytes up to there are passed on, so a frame may be cut anywhere.
 */
export async function startCuttingProxy(
  targetPort: number,
  cutAfter: (connection: number) => number | undefined,
): Promise<CuttingProxy> {
  let connections = 0
  let cuts = 0
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(targetPort, '127.0.0.1')
    let left = cutAfter(connections++) ?? Number.POSITIVE_INFINITY
    const end = () => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.on('error', end).on('close', () => {
        open.delete(socket)
        end()
      })
    }
    client.pipe(upstream)
    upstream.on('data', (chunk: Buffer) => {
      if (left <= 0) return
      const part = chunk.subarray(0, left)
      left -= part.length
      if (left > 0) {
        if (!client.write(part)) upstream.pause()
        return
      }
      cuts++
      upstream.destroy()
      // What was passed on arrives before the end.
      client.end(part, () => client.destroy())
    })
    client.on('drain', () => upstream.resume())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    // A cast: a server that listens on TCP has an address.
    port: (server.address() as AddressInfo).port,
    cuts: () => cuts,
    close() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}
